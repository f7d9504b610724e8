import Synchronization

/// A regular expression compiled into steps; it searches anywhere in a text, in time proportional to the text.
///
/// All ways through the expression are followed at once (Thompson 1968). The sets of ways that turn up are remembered as states with their
/// transitions, so that most bytes cost one look into a table. Nothing is ever tried twice, so no pattern can make the search slow.
final class RegexProgram: Sendable {
    /// One step; `next` is where it goes on.
    enum Step: Sendable {
        case take(ScalarSet, next: Int)
        /// Ways that are all tried; the first is the best.
        case fork([Int])
        /// Remembers the place in the text under a number: 2n where group n begins, 2n+1 where it ends.
        case save(Int, next: Int)
        case check(RegexNode.Assertion, next: Int)
        case done
    }

    /// Steps of a program.
    static let limit = 2_000
    /// Nodes that are visited while it is made; repetitions of repetitions multiply.
    private static let workLimit = 50_000

    let steps: [Step]
    let start: Int
    let states: Mutex<RegexStates>

    /// Makes the program; fails when it would be too large.
    init(_ node: RegexNode) throws(RegexReader.Problem) {
        var maker = Maker()
        let end = try maker.add(.done)
        start = try maker.make(node, then: end)
        steps = maker.steps
        states = Mutex(RegexStates())
    }

    /// Whether it matches anywhere in a text.
    func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var scan = RegexScan(self)
            return scan.feed(UnsafeRawBufferPointer(bytes)) || scan.finish()
        }
    }

    /// Whether it matches anywhere in a text; `nil` where that takes more work than there is.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - work: the bytes that may be looked at, and the steps that may be tried where the table has no answer; it is reduced by those that were.
    /// - Returns: whether it matches.
    func matches(_ text: String, work: inout Int) -> Bool? {
        guard work > 0 || text.isEmpty else { return nil }
        var text = text
        return text.withUTF8 { bytes in
            var scan = RegexScan(self)
            return scan.find(in: UnsafeRawBufferPointer(bytes)) { bytes, steps in
                work -= bytes + steps
                return work >= 0
            }
        }
    }

    /// Whether it matches anywhere in a text of ASCII, at the cost of one table look-up a byte.
    func matches(plain text: UnsafeRawBufferPointer) -> Bool {
        states.withLock { states in
            var number = states.startNumber
            for byte in text {
                guard let next = states.step(number, UInt32(byte), self) else { return true }
                number = next
            }
            return states.step(number, nil, self) == nil
        }
    }

    /// Builds steps from the end to the beginning.
    private struct Maker {
        var steps: [Step] = []
        var work = 0

        mutating func add(_ step: Step) throws(RegexReader.Problem) -> Int {
            guard steps.count < RegexProgram.limit else {
                throw RegexReader.Problem(sentence: "the pattern is too large", offset: 0)
            }
            steps.append(step)
            return steps.count - 1
        }

        /// Makes the steps of a node that go on at `next`; returns where they begin.
        mutating func make(_ node: RegexNode, then next: Int) throws(RegexReader.Problem) -> Int {
            work += 1
            guard work < RegexProgram.workLimit else {
                throw RegexReader.Problem(sentence: "the pattern is too large", offset: 0)
            }
            switch node {
            case .empty: return next
            case .set(let set): return try add(.take(set, next: next))
            case .assertion(let assertion): return try add(.check(assertion, next: next))
            case .sequence(let parts):
                var next = next
                for part in parts.reversed() { next = try make(part, then: next) }
                return next
            case .choice(let branches):
                var starts: [Int] = []
                for branch in branches { starts.append(try make(branch, then: next)) }
                return try add(.fork(starts))
            case .group(let part, let number):
                let end = try add(.save(2 * number + 1, next: next))
                return try add(.save(2 * number, next: try make(part, then: end)))
            case .repeated(let part, let least, let most, let isLazy):
                var start = next
                if let most {
                    for _ in least..<max(least, most) {
                        let once = try make(part, then: start)
                        start = try add(.fork(isLazy ? [next, once] : [once, next]))
                    }
                } else {
                    let loop = try add(.fork([]))
                    let once = try make(part, then: loop)
                    steps[loop] = .fork(isLazy ? [next, once] : [once, next])
                    start = loop
                }
                for _ in 0..<least { start = try make(part, then: start) }
                return start
            }
        }
    }
}
