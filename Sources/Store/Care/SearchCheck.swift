import GRDB
import NIOCore
import Traffic

/// The check of search blocks and their filters against the rows.
enum SearchCheck {
    /// Blocks that are checked in one snapshot, and bytes of their texts after which the snapshot ends earlier.
    private static let (sliceBlocks, sliceBytes) = (128, 1 << 20)

    /// Tells what is wrong, one sentence each.
    ///
    /// - Parameters:
    ///   - pool: the store; some blocks, or a group, are read in each snapshot.
    ///   - between: called where no snapshot is held.
    ///   - tell: takes a sentence.
    /// - Throws: what SQLite says, and what `between` throws; `CancellationError`.
    static func run(in pool: DatabasePool, _ between: () throws -> Void, tell: (String) -> Void) throws {
        // Blocks that are made meanwhile are not looked at: else a faster writer would keep this from ending.
        let last: Int64 = try pool.read { try Int64.fetchOne($0, sql: "SELECT max(id) FROM search_block") } ?? -1
        var through = Int64.min
        while through < last {
            let looked = through
            let found = try pool.read { db in try db.cancellable { try slice(after: looked, in: db) } }
            for index in found.unlike { tell("search block \(index) is not what its exchanges say") }
            through = found.through ?? last
            try between()
        }
        for group in try pool.read({ try SearchGroup.all(in: $0) }) {
            try Task.checkCancellation()
            let isUnlike = try pool.read { db in try db.cancellable { try !isSound(group.index, in: db) } }
            if isUnlike { tell("the filters of search group \(group.index) are not what its blocks say") }
            try between()
        }
    }

    /// Checks the blocks after one: returns those that are not what their exchanges say, and the last that was checked, `nil` at the end.
    private static func slice(after last: Int64, in db: Database) throws -> (unlike: [Int64], through: Int64?) {
        var row = try RawStatement(
            """
            SELECT id, settled, places, urls, lines, messages, bodies FROM search_block
            WHERE layout = ? AND id > ? AND \(SearchBlock.soundness) ORDER BY id
            """,
            on: db
        )
        defer { row.reset() }
        row.bind(SearchBlock.layout)
        row.bind(last)
        var unlike: [Int64] = []
        var (blocks, bytes) = (0, 0)
        while try row.step() {
            try Task.checkCancellation()
            let index = row.integer() ?? 0
            let settled = UInt32(truncatingIfNeeded: row.integer() ?? 0)
            let fresh = try FreshSearchBlock(index: index, settling: settled, in: db).written
            let places = row.buffer() ?? ByteBuffer()
            let sections = [SearchPart.Section.urls, .lines, .messages, .bodies].map { ($0, row.bytes()) }
            let isSame =
                fresh.settled == settled && fresh.places == places
                && sections.allSatisfy { fresh.sections[$0.0.rawValue] == $0.1 }
            if !isSame { unlike.append(index) }
            blocks += 1
            bytes += fresh.bytes
            if blocks >= sliceBlocks || bytes >= sliceBytes { return (unlike, index) }
        }
        return (unlike, nil)
    }

    /// Whether a group's filters are what its blocks say; true for a group that is gone, since a change of its blocks removes it.
    private static func isSound(_ group: Int64, in db: Database) throws -> Bool {
        var place = try RawStatement("SELECT 1 FROM search_group WHERE id = ? AND layout = ?", on: db)
        defer { place.reset() }
        place.bind(group)
        place.bind(SearchBlock.layout)
        guard try place.step() else { return true }
        guard let fresh = try FreshSearchGroup(index: group, in: db) else { return false }
        var row = try RawStatement("SELECT bits FROM search_filter WHERE id = ?", on: db)
        for (slice, bytes) in fresh.slices.enumerated() {
            row.bind(group << SearchGroup.sliceShift | Int64(slice))
            defer { row.reset() }
            guard try row.step(), row.withBlob({ $0.elementsEqual(bytes) }) else { return false }
        }
        return true
    }
}
