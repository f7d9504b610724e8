/// Finds the matches of a regular expression in a text, with what its groups matched: of those that begin first, the one that a backtracking engine
/// finds.
///
/// All ways through the expression are followed at once, the best first (Pike 1997): the time is at most the text's length times the expression's,
/// and the work has a bound.
struct RegexSearch {
    /// A match, as places in the bytes.
    struct Match: Hashable {
        let range: Range<Int>
        /// The groups from the first on; `nil` for one that took no part.
        let groups: [Range<Int>?]
    }

    /// Ways at one place of the text, the best first.
    private struct Ways {
        /// The step at which each goes on; none stands twice.
        var places: [Int32] = []
        /// For each way what it remembers, one after the other.
        var saved: [Int32] = []
        /// For each step of the program where it stands in `places`, if it does.
        private var marks: [Int32]

        init(steps: Int) { marks = Array(repeating: 0, count: steps) }

        mutating func add(_ step: Int, _ slots: ArraySlice<Int32>) {
            let mark = Int(marks[step])
            guard mark >= places.count || places[mark] != step else { return }
            marks[step] = Int32(truncatingIfNeeded: places.count)
            places.append(Int32(truncatingIfNeeded: step))
            saved.append(contentsOf: slots)
        }

        mutating func clear() {
            places.removeAll(keepingCapacity: true)
            saved.removeAll(keepingCapacity: true)
        }
    }

    /// What is to be done while the steps are followed that take no scalar.
    private enum Pending {
        case follow(Int)
        case restore(slot: Int, to: Int32)
    }

    /// What is known of a place in the text.
    private struct Edge {
        let index: Int
        let isAtStart: Bool
        let isAtEnd: Bool
        let isBoundary: Bool

        func holds(_ assertion: RegexNode.Assertion) -> Bool {
            switch assertion {
            case .start: isAtStart
            case .end: isAtEnd
            case .boundary: isBoundary
            case .noBoundary: !isBoundary
            }
        }
    }

    private let program: RegexProgram
    /// Places that a way remembers: two for the match, two for each group.
    private let width: Int
    /// The bytes with which a match can begin; `nil` where it can begin anywhere.
    private let first: [Bool]?
    /// Finds the bytes with which every match begins; `nil` where there are none.
    private let prefix: ByteSearch?
    /// Ways that have come to a place, and those that go on from it.
    private var arrived: Ways
    private var open: Ways
    private var tasks: [Pending] = []
    private var slots: [Int32]
    /// For each step the last place at which it was followed.
    private var visits: [Int]
    private var visit = 0
    /// Steps that were followed in the last text, and what else took as long.
    private(set) var work = 0
    /// Steps between two questions whether somebody waits for the matches.
    private static let lookSteps = 1 << 16
    /// The work at which that is asked next, and whether nobody does.
    private var nextLook = 0
    private var isUnwanted = false

    init(_ program: RegexProgram) {
        self.program = program
        width = program.slots
        first = program.firstBytes
        prefix = program.prefix.isEmpty ? nil : ByteSearch(program.prefix)
        let count = program.steps.count
        (arrived, open) = (Ways(steps: count), Ways(steps: count))
        slots = Array(repeating: -1, count: width)
        visits = Array(repeating: 0, count: count)
    }

    /// Finds the matches in a text, from left to right, none within another; an empty one never touches the one before it.
    ///
    /// None is kept: a long text has millions of them.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, less than 2 GiB; a byte that is part of no character stands for the scalar of its number.
    ///   - workLimit: steps of the program that may be followed.
    ///   - matchWork: steps in whose time a match is taken.
    ///   - isWanted: whether somebody waits for the matches still, asked now and then.
    ///   - take: takes each match as it is found; `false` where no more are wanted.
    /// - Returns: whether all that were wanted were found; `false` where that takes more work, or nobody waits for them.
    mutating func find(
        in bytes: UnsafeRawBufferPointer,
        workLimit: Int,
        matchWork: Int = 0,
        while isWanted: () -> Bool = { true },
        _ take: (Match) -> Bool
    ) -> Bool {
        var start = 0
        var last: Int?
        work = 0
        (nextLook, isUnwanted) = (0, false)
        while start <= bytes.count {
            guard let match = next(in: bytes, from: start, workLimit, isWanted) else { break }
            let isBehind = match.range.isEmpty && match.range.lowerBound == last
            if !isBehind {
                last = match.range.upperBound
                // Its places were copied, and are looked at.
                work &+= width + matchWork
                guard work <= workLimit else { return false }
                guard take(match) else { return work <= workLimit }
            }
            start = match.range.upperBound
            // After an empty match the next begins a scalar later.
            if match.range.isEmpty { start = start < bytes.count ? RegexSearch.scalar(bytes, start).next : start + 1 }
        }
        return !isUnwanted && work <= workLimit
    }

    private mutating func next(
        in bytes: UnsafeRawBufferPointer,
        from start: Int,
        _ workLimit: Int,
        _ isWanted: () -> Bool
    ) -> Match? {
        var match: Match?
        var index = start
        arrived.clear()
        while work <= workLimit {
            if work >= nextLook {
                nextLook = work &+ RegexSearch.lookSteps
                isUnwanted = !isWanted()
                if isUnwanted { return nil }
            }
            if arrived.places.isEmpty {
                if match != nil { return match }
                // Nothing is under way, so all before the next possible beginning is passed over.
                if first != nil {
                    let passed = index
                    index = beginning(in: bytes, from: index)
                    work &+= (index - passed) >> 4
                    if index == bytes.count { return nil }
                }
            }
            let scalar = index < bytes.count ? RegexSearch.scalar(bytes, index) : nil
            let isAfterWord = index > 0 && ScalarSet.words.contains(UInt32(bytes[index - 1]))
            let isBeforeWord = scalar.map { ScalarSet.words.contains($0.value) } ?? false
            let edge = Edge(
                index: index,
                isAtStart: index == 0,
                isAtEnd: scalar == nil,
                isBoundary: isAfterWord != isBeforeWord
            )
            let canBegin = first.map { index < bytes.count && $0[Int(bytes[index])] } ?? true
            goOn(at: edge, mayBegin: match == nil && canBegin)
            arrived.clear()
            take(scalar?.value, edge, &match)
            guard let scalar else { return match }
            index = scalar.next
        }
        return nil
    }

    /// The first place from a place on at which a match that is not empty can begin; the end where there is none.
    private func beginning(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        if let prefix { return prefix.next(in: bytes, from: start) ?? bytes.count }
        guard let first else { return start }
        var index = start
        while index < bytes.count, !first[Int(bytes[index])] { index += 1 }
        return index
    }

    /// Follows the ways that have come to a place up to the steps that take a scalar.
    private mutating func goOn(at edge: Edge, mayBegin: Bool) {
        open.clear()
        visit += 1
        for number in arrived.places.indices {
            for slot in 0..<width { slots[slot] = arrived.saved[number * width + slot] }
            follow(Int(arrived.places[number]), edge)
        }
        guard mayBegin else { return }
        for slot in 0..<width { slots[slot] = -1 }
        slots[0] = Int32(truncatingIfNeeded: edge.index)
        follow(program.start, edge)
    }

    private mutating func follow(_ step: Int, _ edge: Edge) {
        tasks.append(.follow(step))
        while let task = tasks.popLast() {
            guard case .follow(let place) = task else {
                if case .restore(let slot, let value) = task { slots[slot] = value }
                continue
            }
            guard visits[place] != visit else { continue }
            visits[place] = visit
            work &+= 1
            switch program.steps[place] {
            case .done, .take: open.add(place, slots[...])
            case .fork(let places): for place in places.reversed() { tasks.append(.follow(place)) }
            case .check(let assertion, let next): if edge.holds(assertion) { tasks.append(.follow(next)) }
            case .save(let slot, let next):
                tasks.append(.restore(slot: slot, to: slots[slot]))
                slots[slot] = Int32(truncatingIfNeeded: edge.index)
                tasks.append(.follow(next))
            }
        }
    }

    /// Takes a scalar on every way, up to the first that is a match already: those behind it are worse.
    private mutating func take(_ scalar: UInt32?, _ edge: Edge, _ match: inout Match?) {
        for number in open.places.indices {
            let saved = open.saved[number * width..<(number + 1) * width]
            switch program.steps[Int(open.places[number])] {
            case .take(let set, let next):
                if let scalar, set.contains(scalar) { arrived.add(next, saved) }
            default:
                match = RegexSearch.match(Array(saved), end: edge.index)
                return
            }
        }
    }

    private static func match(_ saved: [Int32], end: Int) -> Match {
        let groups = (1..<saved.count / 2).map { number -> Range<Int>? in
            let (low, high) = (Int(saved[2 * number]), Int(saved[2 * number + 1]))
            return low >= 0 && high >= low ? low..<high : nil
        }
        return Match(range: Int(saved[0])..<end, groups: groups)
    }

    /// The scalar at a place, and where the next begins.
    private static func scalar(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> (value: UInt32, next: Int) {
        let first = bytes[index]
        guard first >= 0xC2, first <= 0xF4 else { return (UInt32(first), index + 1) }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard index + length <= bytes.count else { return (UInt32(first), index + 1) }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for place in index + 1..<index + length {
            guard bytes[place] & 0xC0 == 0x80 else { return (UInt32(first), index + 1) }
            value = value << 6 | UInt32(bytes[place] & 0x3F)
        }
        return (value, index + length)
    }
}

extension RegexProgram {
    /// Places that a match remembers: where it begins and ends, and the same of each group.
    fileprivate var slots: Int {
        steps.reduce(2) { count, step in
            guard case .save(let slot, _) = step else { return count }
            return max(count, slot + slot % 2 + (slot % 2 == 0 ? 2 : 0))
        }
    }

    /// The characters of ASCII with which every match begins.
    fileprivate var prefix: [UInt8] {
        var bytes: [UInt8] = []
        var place = start
        while true {
            switch steps[place] {
            case .check(_, let next), .save(_, let next): place = next
            case .take(let set, let next):
                guard let range = set.ranges.first, set.ranges.count == 1, range.count == 1, range.upperBound < 0x80
                else { return bytes }
                bytes.append(UInt8(truncatingIfNeeded: range.upperBound))
                place = next
            case .fork, .done: return bytes
            }
        }
    }

    /// Whether each byte can begin a match; `nil` where a match can be empty.
    fileprivate var firstBytes: [Bool]? {
        var bytes = [Bool](repeating: false, count: 256)
        var seen: Set<Int> = []
        var pending = [start]
        while let place = pending.popLast() {
            guard seen.insert(place).inserted else { continue }
            switch steps[place] {
            case .done: return nil
            case .fork(let places): pending += places
            case .check(_, let next), .save(_, let next): pending.append(next)
            case .take(let set, _):
                for byte in 0..<128 where set.contains(UInt32(byte)) { bytes[byte] = true }
                guard let last = set.ranges.last, last.upperBound >= 128 else { continue }
                for byte in 128..<256 { bytes[byte] = true }
            }
        }
        return bytes
    }
}
