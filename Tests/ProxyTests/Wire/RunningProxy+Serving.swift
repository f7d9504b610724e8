import Support

extension RunningProxy {
    /// Does something while another client is served again and again, and looks meanwhile how large the process becomes.
    ///
    /// - Parameters:
    ///   - other: whose answers the other client gets.
    ///   - work: what is done.
    /// - Returns: what came of it, and by how much the process grew at most.
    /// - Throws: what the work or the other client throws, whichever is first.
    func serving<Value: Sendable>(
        _ other: LoopbackOrigin,
        during work: @escaping @Sendable () async throws -> Value
    ) async throws -> (value: Value, growthBytes: Int) {
        try await serves(other)
        let before = try await ResidentMemory.bytes()
        let peak = Watched(before)
        let value = try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                while !Task.isCancelled {
                    try await serves(other)
                    let now = try await ResidentMemory.bytes()
                    peak.update { $0 = max($0, now) }
                }
                return nil
            }
            defer { group.cancelAll() }
            while let done = try await group.next() { if let done { return done } }
            throw CancellationError()
        }
        try await serves(other)
        return (value, peak.value - before)
    }
}
