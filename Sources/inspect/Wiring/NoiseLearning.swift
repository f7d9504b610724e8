import Store
import Traffic

/// What differs between two answers to the same request, for each exchange of a set.
final class NoiseLearning {
    private let store: TrafficStore
    /// Compares answers.
    let diff: CaptureDiff
    /// The replays of an exchange: 8 bytes each.
    private var replays: [ExchangeID: [ExchangeID]] = [:]
    private var failed: Set<ExchangeID> = []

    /// - Parameters:
    ///   - store: where exchanges and replays are.
    ///   - diff: how they are compared, with the noise that is known already.
    init(_ store: TrafficStore, _ diff: CaptureDiff) {
        self.store = store
        self.diff = CaptureDiff(noise: diff.noise, scope: .replay)
    }

    /// Sends exchanges twice to where they went.
    func replay(_ ids: [ExchangeID], through client: InstanceClient) async throws {
        guard !ids.isEmpty else { return }
        var plan = ReplayPlan()
        plan.ids = ids
        plan.times = 2
        try await client.replay(plan) { line in
            if let replay = line.replay, let id = replay.id { add(id, of: replay.original) }
        }
    }

    /// Takes note of a replay; the first one where this is the second.
    @discardableResult
    func add(_ id: ExchangeID, of original: ExchangeID) -> ExchangeID? {
        let first = replays[original]?.first
        replays[original, default: []].append(id)
        return first
    }

    /// Takes note of a replay that failed; whether it is the first of its exchange to.
    func isFirstFailure(of original: ExchangeID) -> Bool { failed.insert(original).inserted }

    /// What was known, and what its two replays show; `nil` without two.
    func noise(for original: ExchangeID) throws -> DiffNoise? {
        guard let pair = replays[original], pair.count >= 2 else { return nil }
        let reader = ExchangeReader(store)
        let source: ArchiveSource = { [store] in try store.body($0, $1, offset: $2, limitBytes: $3) }
        let (one, other) = (try reader.record(pair[0]).exchange, try reader.record(pair[1]).exchange)
        var noise = diff.noise
        noise.learn(from: try diff.compare(one, source, other, source))
        return noise
    }

    /// Forgets the replays of an exchange.
    func forget(_ original: ExchangeID) { replays[original] = nil }
}
