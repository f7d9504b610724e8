import Lenses
import Store
import Traffic

/// Sends exchanges again through the running proxy, and compares each answer with the recorded one as it comes.
struct ReplayRun {
    private let client: InstanceClient
    private let store: TrafficStore
    private let diff: CaptureDiff
    private let reading: Reading
    private let words: (ReplayError) -> String

    /// Gives an exchange with the source of its bodies.
    typealias Reading = (ExchangeID) throws -> (record: ExchangeRecord, source: ArchiveSource)

    /// - Parameters:
    ///   - client: the running proxy.
    ///   - store: where it records.
    ///   - diff: what counts as different.
    ///   - reading: reads an exchange for comparison; `nil` reads it as it was recorded.
    ///   - words: says why a request was not sent; in the command line's words unless given.
    init(
        _ client: InstanceClient,
        _ store: TrafficStore,
        _ diff: CaptureDiff,
        reading: Reading? = nil,
        words: @escaping (ReplayError) -> String = { $0.words }
    ) {
        self.client = client
        self.store = store
        self.diff = diff
        self.words = words
        self.reading = reading ?? { (try ExchangeReader(store).record($0), store.body) }
    }

    /// Runs a plan to its end.
    ///
    /// - Parameters:
    ///   - plan: what is sent.
    ///   - samples: how often each is sent, to see what differs anyway; the first answer is compared. `nil` learns nothing.
    ///   - report: takes each comparison.
    /// - Throws: `InputError` in the proxy's own words when it will not.
    func run(_ plan: ReplayPlan, samples: Int?, into report: any ComparisonSink) async throws {
        var plan = plan
        if let samples { plan.times = samples }
        let learning = samples.map { NoiseLearning(store, diff, samples: $0) }
        try await client.replay(plan) { line in
            if let summary = line.summary { report.sent(summary) }
            guard let replay = line.replay else { return }
            try told(replay, learning, report)
        }
    }

    private func told(_ replay: ReplayLine.Replay, _ learning: NoiseLearning?, _ report: any ComparisonSink) throws {
        if let reason = replay.leftOut { return report.leftOut(reason) }
        let (before, beforeSource) = try reading(replay.original)
        var comparison = Comparison(left: before.summary, right: nil)
        (comparison.heldBack, comparison.notes) = (replay.heldBack ?? [], replay.notes ?? [])
        guard let id = replay.id else {
            guard learning?.isFirstFailure(of: replay.original) ?? true else { return }
            comparison.problem = words(ReplayError(replay.error ?? "it was not sent", wayOut: replay.wayOut))
            return try report.add(comparison)
        }
        var (diff, shown) = (diff, id)
        if let learning {
            guard let first = learning.add(id, of: replay.original) else { return }
            diff.noise = try learning.noise(for: replay.original) ?? diff.noise
            learning.forget(replay.original)
            comparison.learnt = diff.noise.added(to: self.diff.noise)
            shown = first
        }
        let (after, afterSource) = try reading(shown)
        comparison.right = after.summary
        comparison.difference = try diff.compare(before.exchange, beforeSource, after.exchange, afterSource)
        try comparison.putInWords(before, beforeSource, after, afterSource)
        try report.add(comparison)
    }
}
