import Store
import Traffic

/// Learns what differs between answers to the same request, for each exchange of a set.
final class NoiseLearning {
    private let store: TrafficStore
    /// Compares answers.
    let diff: CaptureDiff
    /// Answers to each request.
    private let samples: Int
    /// The replays of an exchange: 8 bytes each.
    private var replays: [ExchangeID: [ExchangeID]] = [:]
    private var failed: Set<ExchangeID> = []

    /// - Parameters:
    ///   - store: where exchanges and replays are.
    ///   - diff: how the answers are compared, with the known noise.
    ///   - samples: answers to each request, 2 or more.
    init(_ store: TrafficStore, _ diff: CaptureDiff, samples: Int) {
        self.store = store
        self.samples = samples
        self.diff = CaptureDiff(noise: diff.noise, scope: .replay)
    }

    /// Sends each exchange to its origin as often as there are samples.
    func replay(_ ids: [ExchangeID], through client: InstanceClient) async throws {
        guard !ids.isEmpty else { return }
        var plan = ReplayPlan()
        plan.ids = ids
        plan.times = samples
        try await client.replay(plan) { line in
            if let replay = line.replay, let id = replay.id { add(id, of: replay.original) }
        }
    }

    /// Notes a replay; returns the exchange's first replay where this is its last.
    @discardableResult
    func add(_ id: ExchangeID, of original: ExchangeID) -> ExchangeID? {
        let all = replays[original, default: []] + [id]
        replays[original] = all
        return all.count == samples ? all.first : nil
    }

    /// Notes a replay that failed; returns whether it is the first failure of its exchange.
    func isFirstFailure(of original: ExchangeID) -> Bool { failed.insert(original).inserted }

    /// The known noise and that of an exchange's replays; `nil` without two replays.
    ///
    /// Each replay is compared with the first: what differs between two others differs between one of them and the first.
    func noise(for original: ExchangeID) throws -> DiffNoise? {
        guard let all = replays[original], let first = all.first, all.count >= 2 else { return nil }
        let reader = ExchangeReader(store)
        let source: ArchiveSource = { [store] in try store.body($0, $1, offset: $2, limitBytes: $3) }
        let one = try reader.record(first).exchange
        var noise = diff.noise
        for id in all.dropFirst() {
            noise.learn(from: try diff.compare(one, source, try reader.record(id).exchange, source))
        }
        return noise
    }

    /// Forgets the replays of an exchange.
    func forget(_ original: ExchangeID) { replays[original] = nil }
}
