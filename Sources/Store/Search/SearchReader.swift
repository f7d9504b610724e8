import GRDB
import Traffic

/// Answers tests of texts from search blocks: by the filters first, then by the texts of the blocks that may hold the needle.
final class SearchReader {
    /// Up to so many blocks are fetched one by one; more are read in their order.
    private static let seeksLimit = 8

    private let db: Database
    private var questions: [FilterTest: SearchQuestion?] = [:]
    /// The verdicts on the texts of each section; kept to use their memory again.
    private var found: [[UInt8]] = Array(repeating: [], count: SearchPart.Section.allCases.count)

    init(_ db: Database) { self.db = db }

    /// The answer for a group's exchanges.
    struct Answer {
        /// The verdict of the blocks for each distance from the group's first exchange.
        var verdicts = [UInt8](repeating: ConditionColumn.Verdict.open.rawValue, count: Int(FacetBlock.capacity))
        /// Exchanges with a text that counts and is too long to be read whole, as distances.
        var cut: [Int] = []
    }

    /// The answer of the blocks to a test; `nil` for a test that only rows can answer.
    func answer(to test: FilterTest, group index: Int64) throws -> Answer? {
        let known: SearchQuestion?
        if let asked = questions[test] {
            known = asked
        } else {
            known = SearchQuestion(test)
            questions[test] = .some(known)
        }
        guard let question = known else { return nil }
        var answer = Answer()
        let first = index * Int64(SearchBlock.groupCount)
        if let group = try SearchGroup(index: index, in: db), let columns = try columns(for: question, in: group) {
            for (place, mask) in group.settled.enumerated() { settle(place, mask, in: &answer) }
            let places = (0..<SearchBlock.groupCount).filter { columns[$0 / 64] >> UInt64($0 % 64) & 1 == 1 }
            try read(places, first, question, into: &answer)
            for (place, large) in group.large.enumerated() where question.parts >> large.part & 1 == 1 {
                let column = SearchGroup.column(ofLarge: place)
                let offset = Int(large.offset)
                if large.isCut { answer.cut.append(offset) }
                guard columns[column / 64] >> UInt64(column % 64) & 1 == 1 else { continue }
                answer.verdicts[offset] = max(answer.verdicts[offset], ConditionColumn.Verdict.open.rawValue)
            }
        } else {
            try read(Array(0..<SearchBlock.groupCount), first, question, into: &answer, opensLarge: true)
        }
        return answer
    }

    /// The columns that may meet the test in one of its ways; `nil` when the filter cannot say.
    private func columns(for question: SearchQuestion, in group: SearchGroup) throws -> [UInt64]? {
        var any = [UInt64](repeating: 0, count: group.width / 8)
        for way in question.ways {
            guard let columns = try group.columns(of: way.asked, in: db) else { return nil }
            for word in any.indices { any[word] |= columns[word] }
        }
        return any
    }

    /// Notes that the settled exchanges of a block have nothing, until a text says otherwise.
    private func settle(_ place: Int, _ mask: UInt32, in answer: inout Answer) {
        let first = place * Int(SearchBlock.capacity)
        for offset in 0..<Int(SearchBlock.capacity) where mask >> UInt32(offset) & 1 == 1 {
            answer.verdicts[first + offset] = ConditionColumn.Verdict.no.rawValue
        }
    }

    /// Goes through the texts of blocks.
    private func read(
        _ places: [Int],
        _ first: Int64,
        _ question: SearchQuestion,
        into answer: inout Answer,
        opensLarge: Bool = false
    ) throws {
        guard let lowest = places.first, let highest = places.last else { return }
        let columns = SearchPart.Section.allCases.filter(question.sections.contains)
        // In the order of the table, so that a blob's pages are read once.
        let ordered = [SearchPart.Section.urls, .lines, .messages, .bodies].filter(columns.contains)
        let list = ordered.map(\.column).joined(separator: ", ")
        var row = try RawStatement(
            "SELECT id, settled, places, \(list) FROM search_block WHERE id >= ? AND id <= ? AND layout = \(SearchBlock.layout) ORDER BY id",
            on: db
        )
        defer { row.reset() }
        if places.count <= SearchReader.seeksLimit {
            for place in places {
                row.bind(first + Int64(place))
                row.bind(first + Int64(place))
                if try row.step() { look(&row, first, ordered, question, &answer, opensLarge) }
                row.reset()
            }
            return
        }
        let wanted = Set(places)
        row.bind(first + Int64(lowest))
        row.bind(first + Int64(highest))
        while try row.step() {
            look(&row, first, ordered, question, &answer, opensLarge, wanted)
        }
    }

    /// Looks through the block that a statement stands on; a damaged block leaves its exchanges open.
    private func look(
        _ row: inout RawStatement,
        _ first: Int64,
        _ sections: [SearchPart.Section],
        _ question: SearchQuestion,
        _ answer: inout Answer,
        _ opensLarge: Bool,
        _ wanted: Set<Int>? = nil
    ) {
        let place = Int((row.integer() ?? 0) - first)
        let mask = UInt32(truncatingIfNeeded: row.integer() ?? 0)
        guard (0..<SearchBlock.groupCount).contains(place), wanted?.contains(place) ?? true else { return }
        let verdicts = verdicts(of: &row, sections, question, opensLarge)
        let start = place * Int(SearchBlock.capacity)
        guard let verdicts else {
            for offset in 0..<Int(SearchBlock.capacity) {
                answer.verdicts[start + offset] = ConditionColumn.Verdict.open.rawValue
            }
            return
        }
        settle(place, mask, in: &answer)
        for found in verdicts {
            answer.verdicts[start + found.offset] = found.verdict
            if found.isCut, opensLarge { answer.cut.append(start + found.offset) }
        }
    }

    /// The verdict on an exchange of a block.
    private struct Found {
        var offset: Int
        var verdict: UInt8
        var isCut: Bool
    }

    /// The verdicts of the block that a statement stands on; `nil` when the block is damaged.
    private func verdicts(
        of row: inout RawStatement,
        _ sections: [SearchPart.Section],
        _ question: SearchQuestion,
        _ opensLarge: Bool
    ) -> [Found]? {
        guard let view = SearchBlockView(places: row.borrowedBlob()) else { return nil }
        for place in found.indices { found[place].removeAll(keepingCapacity: true) }
        for section in sections {
            guard search(row.borrowedBlob(), section, view, question) else { return nil }
        }
        var verdicts: [Found] = []
        let isSound = view.eachEntry(question.parts, found) { offset, large, cut, verdict in
            let isOpen = opensLarge && large & question.parts != 0
            verdicts.append(
                Found(
                    offset: offset,
                    verdict: max(verdict, isOpen ? ConditionColumn.Verdict.open.rawValue : 0),
                    isCut: cut & question.parts != 0
                )
            )
        }
        return isSound ? verdicts : nil
    }

    /// Notes in `found` the verdict on each text of a section, none where no text has a needle; false when the section is damaged.
    private func search(
        _ bytes: UnsafeRawBufferPointer,
        _ section: SearchPart.Section,
        _ view: SearchBlockView,
        _ question: SearchQuestion
    ) -> Bool {
        let count = view.count(section)
        var verdicts = found[section.rawValue]
        found[section.rawValue] = []
        verdicts.removeAll(keepingCapacity: true)
        verdicts.append(contentsOf: repeatElement(0, count: count))
        var isFound = false
        var isSound = true
        for way in question.ways {
            let verdict = way.verdict.rawValue
            if way.prefix.isEmpty, let needle = way.needles.first, way.needles.count == 1 {
                isSound =
                    view.each(section, holding: needle, in: bytes) { number in
                        verdicts[number] = max(verdicts[number], verdict)
                        isFound = true
                    } && isSound
            } else {
                isSound =
                    view.each(section, in: bytes) { number, text in
                        guard text.starts(with: way.prefix) else { return }
                        let value = UnsafeRawBufferPointer(rebasing: text[way.prefix.count...])
                        guard way.needles.allSatisfy({ TextFold.place(of: $0, in: value) != nil }) else { return }
                        verdicts[number] = max(verdicts[number], verdict)
                        isFound = true
                    } && isSound
            }
        }
        found[section.rawValue] = isFound ? verdicts : []
        return isSound
    }
}
