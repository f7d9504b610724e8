import NIOCore
import Traffic

/// The lines of a head before and after rules: kept ones behind two blanks, removed ones behind `- `, new ones behind `+ `.
enum HeadDifference {
    /// The lines; empty where nothing changed.
    static func lines(_ before: ByteBuffer?, _ after: ByteBuffer?) -> [String] {
        let (one, other) = (texts(before), texts(after))
        guard one != other else { return [] }
        let difference = other.difference(from: one)
        var removed: Set<Int> = []
        var inserted: [Int: String] = [:]
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, let line, _): inserted[offset] = line
            }
        }
        var lines: [String] = []
        var place = 0
        func insertAll() {
            while let line = inserted[place] {
                lines.append("+ " + line)
                place += 1
            }
        }
        for (index, line) in one.enumerated() {
            if removed.contains(index) {
                lines.append("- " + line)
                continue
            }
            insertAll()
            lines.append("  " + line)
            place += 1
        }
        insertAll()
        return lines
    }

    /// The lines of a head without their ends, and without the empty line behind it.
    private static func texts(_ head: ByteBuffer?) -> [String] {
        guard let head else { return [] }
        return head.readableBytesView.split(separator: ASCII.lineFeed, omittingEmptySubsequences: true).map { line in
            VisibleText.line(ByteText.lossless(line.last == ASCII.carriageReturn ? line.dropLast() : line))
        }
        .filter { !$0.isEmpty }
    }
}
