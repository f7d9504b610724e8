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
    /// The revisions of blocks whose numbers cannot be read, by their places.
    private let leftOut = Mutex<[Int64: Int64]>([:])

    init(indexer: BlockIndexer? = nil) { self.indexer = indexer }

    /// Every block of the present layout, ascending; blocks that are gone are forgotten, since a block in their place counts its revisions anew.
    func rows(in db: Database) throws -> [FacetBlockRow] {
        let rows = try FacetBlockRow.readAll(in: db)
        let present = Set(rows.map(\.index))
        blocks.withLock { $0.keep(where: present.contains) }
        leftOut.withLock { leftOut in leftOut = leftOut.filter { present.contains($0.key) } }
        return rows
    }

    /// A block's facets, from memory or from the store; `nil` when it cannot be read, and is to be made again.
    func facets(_ row: FacetBlockRow, in db: Database) throws -> FacetBlock? {
        guard leftOut.withLock({ $0[row.index] != row.revision }) else { return nil }
        if let known = blocks.withLock({ $0[row.index] }), known.revision == row.revision,
            row.agrees(with: known.block)
        {
            return known.block
        }
        guard let block = try row.facets(in: db) else {
            tell(unreadable: row.index)
            return nil
        }
        blocks.withLock { $0.insert(Kept(revision: row.revision, block: block), for: row.index) }
        return block
    }

    /// Leaves out every block whose numbers cannot be read, until it is made again: they are looked at all at once, since a question that comes upon
    /// one of them has to be asked again.
    func leaveOutUnreadable(in db: Database) throws {
        for row in try rows(in: db) where try row.numbers(in: db) == nil {
            try Task.checkCancellation()
            leftOut.withLock { $0[row.index] = row.revision }
            tell(unreadable: row.index)
        }
    }

    /// Takes note that something of a block cannot be read, so that the block is made again where somebody makes blocks.
    func tell(unreadable index: Int64) { indexer?.unreadable(index) }
}
