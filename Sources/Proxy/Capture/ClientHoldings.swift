import Atomics

/// The memory that the open streams of one client connection hold together, which bounds their share of the budget.
final class ClientHoldings: Sendable {
    /// Bytes that a modest stream holds at most: a decoder of gzip or of a WebSocket has 40 KiB.
    static let modestBytes = 64 << 10

    private let modest = ManagedAtomic<Int>(0)
    private let greedy = ManagedAtomic<Int>(0)

    /// Counts what one stream now holds more, or less.
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
