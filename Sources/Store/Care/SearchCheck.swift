import GRDB
import NIOCore
import Traffic

/// Search blocks and their filters held against the rows.
enum SearchCheck {
    /// What is wrong, one sentence each.
    static func problems(in db: Database) throws -> [String] {
        var problems: [String] = []
        var row = try RawStatement(
            "SELECT id, settled, places, urls, lines, messages, bodies FROM search_block WHERE layout = ? ORDER BY id",
            on: db
        )
        defer { row.reset() }
        row.bind(SearchBlock.layout)
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
            if !isSame { problems.append("search block \(index) is not what its exchanges say") }
        }
        for group in try SearchGroup.all(in: db) {
            try Task.checkCancellation()
            guard try !isSound(group.index, in: db) else { continue }
            problems.append("the filters of search group \(group.index) are not what its blocks say")
        }
        return problems
    }

    private static func isSound(_ group: Int64, in db: Database) throws -> Bool {
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
