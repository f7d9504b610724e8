import Lenses
import Store
import Traffic

/// Has the running proxy send exchanges again, and compares each answer with the recorded one as it comes.
struct ReplayRun {
    private let client: InstanceClient
    private let store: TrafficStore
    private let diff: CaptureDiff

    init(_ client: InstanceClient, _ store: TrafficStore, _ diff: CaptureDiff) {
        self.client = client
        self.store = store
        self.diff = diff
    }

    /// Runs a plan to its end.
    ///
    /// - Parameters:
    ///   - plan: what is sent.
    ///   - samples: how often each is sent, to see what differs anyway; the first answer is compared. `nil` learns nothing.
    ///   - report: is told of each.
    /// - Throws: `InputError` in the proxy's own words when it will not.
    func run(_ plan: ReplayPlan, samples: Int?, into report: ComparisonReport) async throws {
        var plan = plan
        if let samples { plan.times = samples }
        let learning = samples.map { NoiseLearning(store, diff, samples: $0) }
        try await client.replay(plan) { line in
            if let summary = line.summary { report.sent(summary) }
            guard let replay = line.replay else { return }
            try told(replay, learning, report)
        }
    }

    private func told(_ replay: ReplayLine.Replay, _ learning: NoiseLearning?, _ report: ComparisonReport) throws {
        if let reason = replay.leftOut { return report.leftOut(reason) }
        let before = try ExchangeReader(store).record(replay.original)
        var comparison = Comparison(left: before.summary, right: nil)
        (comparison.heldBack, comparison.notes) = (replay.heldBack ?? [], replay.notes ?? [])
        guard let id = replay.id else {
            guard learning?.isFirstFailure(of: replay.original) ?? true else { return }
            comparison.problem = replay.error ?? "it was not sent"
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
        let after = try ExchangeReader(store).record(shown)
        comparison.right = after.summary
        let source: ArchiveSource = { try store.body($0, $1, offset: $2, limitBytes: $3) }
        comparison.difference = try diff.compare(before.exchange, source, after.exchange, source)
        try comparison.putInWords(before, source, after, source)
        try report.add(comparison)
    }
}
