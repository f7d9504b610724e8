import GRDB
import Synchronization
import Traffic

/// Keeps blocks that were read for the next question: in a long-lived process a listing then reads little more than its page.
final class BlockCache: Sendable {
    /// Blocks that are kept, each some 60 KB: those of two million exchanges.
    private static let limit = 512

    private struct Kept {
        var revision: Int64
        var block: FacetBlock
    }

    /// Told of blocks that cannot be read; `nil` in a store that makes none.
    private let indexer: BlockIndexer?
    /// By their places.
    private let blocks = Mutex(StayingMap<Int64, Kept>(limit: BlockCache.limit))

    init(indexer: BlockIndexer? = nil) { self.indexer = indexer }

    /// Every block of the present layout, ascending; blocks that are gone make room.
    func rows(in db: Database) throws -> [FacetBlockRow] {
        let rows = try FacetBlockRow.readAll(in: db)
        blocks.withLock { blocks in
            guard blocks.isFull else { return }
            let known = Set(rows.map(\.index))
            blocks.keep(where: known.contains)
        }
        return rows
    }

    /// A block's facets, from memory or from the store; `nil` when they cannot be read, and the block is to be made again.
    func facets(_ row: FacetBlockRow, in db: Database) throws -> FacetBlock? {
        if let known = blocks.withLock({ $0[row.index] }), known.revision == row.revision,
            row.agrees(with: known.block)
        {
            return known.block
        }
        guard let block = try row.facets(in: db) else {
            indexer?.unreadable(row.index)
            return nil
        }
        blocks.withLock { $0.insert(Kept(revision: row.revision, block: block), for: row.index) }
        return block
    }
}
