import GRDB
import Synchronization
import Traffic

/// Blocks that were read, kept for the next question: in a long-lived process a listing then reads little more than its page.
final class BlockCache: Sendable {
    /// Blocks kept, each some 60 KB: two million exchanges.
    private static let limit = 512

    private struct Key: Hashable {
        var index: Int64
        var revision: Int64
    }

    private let blocks = Mutex(RecentMap<Key, FacetBlock>(limit: BlockCache.limit))

    /// A block's facets, from memory or from the store; `nil` when they cannot be read.
    func facets(_ row: FacetBlockRow, in db: Database) throws -> FacetBlock? {
        let key = Key(index: row.index, revision: row.revision)
        if let known = blocks.withLock({ $0[key] }) { return known }
        guard let block = try row.facets(in: db) else { return nil }
        blocks.withLock { $0.insert(block, for: key) }
        return block
    }
}
