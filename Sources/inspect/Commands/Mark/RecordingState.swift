/// Whether the running instance of a store records, as its API says it.
struct RecordingState: Decodable, Sendable {
    /// A stretch in which traffic was not recorded, or not in time.
    private struct Gap: Decodable {
        let kind: String
        let count: Int
    }

    private struct Wish: Encodable { let paused: Bool }

    let paused: Bool
    private let gaps: [Gap]

    /// Exchanges that passed unrecorded in the last pause; 0 where there was none.
    var missed: Int { gaps.last { $0.kind == "pause" }?.count ?? 0 }

    /// Pauses or resumes recording.
    ///
    /// - Returns: the state after the change.
    /// - Throws: `InputError` when no proxy runs on the store, or the proxy refuses.
    static func set(isPaused: Bool, on store: StoreOptions) async throws -> RecordingState {
        try await InstanceClient.running(on: store).post("recording", Wish(paused: isPaused), as: RecordingState.self)
    }
}
