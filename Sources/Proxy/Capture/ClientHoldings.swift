import Atomics

/// What the open streams of one client's connection hold in memory, all together: by it their share of the budget is bounded.
final class ClientHoldings: Sendable {
    /// Bytes of each stream that are modest: a decoder of gzip or of a WebSocket has 40 KiB.
    static let modestBytes = 64 << 10

    private let modest = ManagedAtomic<Int>(0)
    private let greedy = ManagedAtomic<Int>(0)

    /// Counts what one stream holds more by now, or less.
    ///
    /// - Returns: what all hold, up to `modestBytes` of each, and beyond that.
    func add(from before: Int, to after: Int) -> (modest: Int, greedy: Int) {
        let change = min(after, Self.modestBytes) - min(before, Self.modestBytes)
        return (
            modest.wrappingIncrementThenLoad(by: change, ordering: .relaxed),
            greedy.wrappingIncrementThenLoad(by: after - before - change, ordering: .relaxed)
        )
    }
}
