/// What the console says of answers that a page was refused with.
extension Browser {
    /// The statuses that the console complains of since the last call, in order; 0 stands for a line about something else.
    func refusedStatuses() async throws -> [Int] {
        try await console().map { line in
            line.firstMatch(of: /responded with a status of ([0-9]+)/).flatMap { Int($0.output.1) } ?? 0
        }
    }
}
