/// The states of a program that have turned up, with their known transitions; forgotten ones are found anew when they are needed.
struct RegexStates: Sendable {
    /// A set of ways through the program at one place of the text, before the assertions there are decided.
    struct State: Hashable, Sendable {
        /// Steps that go on here, ascending.
        var threads: [Int32] = []
        /// Whether no scalar has come yet.
        var isAtStart = true
        /// Whether the scalar before this place belongs to a word.
        var isAfterWord = false
    }

    /// Bytes of states that are kept, with their transitions; past it all are forgotten, so that a hostile pattern costs time but no memory.
    private static let limitBytes = 4 << 20
    /// Transitions over other scalars than ASCII that are kept.
    private static let widerLimit = 20_000
    /// In a state's transitions: ASCII scalars, and the end of the text.
    private static let end = 128
    private static let width = 129

    /// The transition of a state: unknown, a match, or the number of the next state.
    private static let unknown: Int32 = -1
    private static let match: Int32 = -2

    /// Grows whenever all is forgotten, so that a scan knows that its state's number is stale.
    private(set) var generation = 0
    /// Steps of the program that were tried because the table had no answer.
    private(set) var work = 0
    private(set) var states: [State] = []
    private var numbers: [State: Int32] = [:]
    private var transitions: [Int32] = []
    private var wider: [UInt64: Int32] = [:]
    /// Bytes of the states and their transitions.
    private var size = 0
    /// For each step the last transition that visited it; kept so that finding a transition allocates little.
    private var visits: [UInt32] = []
    private var visit: UInt32 = 0
    private var pending: [Int] = []

    /// The number of the state in which nothing has come yet, once it is known.
    private var knownStart: Int32?

    /// The number of the state in which nothing has come yet.
    var startNumber: Int32 {
        mutating get {
            if let knownStart { return knownStart }
            let number = number(of: State())
            knownStart = number
            return number
        }
    }

    /// The number of a state.
    mutating func number(of state: State) -> Int32 {
        if let known = numbers[state] { return known }
        // The threads are kept twice, here and in the table of numbers.
        let bytes = (RegexStates.width + 2 * state.threads.count) * MemoryLayout<Int32>.stride
        if size + bytes > RegexStates.limitBytes, !states.isEmpty {
            generation += 1
            size = 0
            knownStart = nil
            states.removeAll(keepingCapacity: true)
            numbers.removeAll(keepingCapacity: true)
            transitions.removeAll(keepingCapacity: true)
            wider.removeAll(keepingCapacity: true)
        }
        let number = Int32(truncatingIfNeeded: states.count)
        size += bytes
        states.append(state)
        numbers[state] = number
        transitions.append(contentsOf: repeatElement(RegexStates.unknown, count: RegexStates.width))
        return number
    }

    /// Goes on from a state by one scalar, or by the end of the text; `nil` is a match.
    mutating func step(_ number: Int32, _ scalar: UInt32?, _ program: RegexProgram) -> Int32? {
        let column = scalar.map { Int($0) } ?? RegexStates.end
        let isNarrow = scalar == nil || column < RegexStates.end
        let place = Int(number) * RegexStates.width + column
        let key = UInt64(UInt32(bitPattern: number)) << 32 | UInt64(scalar ?? 0)
        let known = isNarrow ? transitions[place] : wider[key] ?? RegexStates.unknown
        if known == RegexStates.match { return nil }
        if known != RegexStates.unknown { return known }
        let before = generation
        let following = next(states[Int(number)], scalar, program).map { self.number(of: $0) }
        if generation == before {
            if isNarrow {
                transitions[place] = following ?? RegexStates.match
            } else if wider.count < RegexStates.widerLimit {
                wider[key] = following ?? RegexStates.match
            }
        }
        return following
    }

    /// The state that follows; `nil` is a match.
    private mutating func next(_ state: State, _ scalar: UInt32?, _ program: RegexProgram) -> State? {
        let isBeforeWord = scalar.map(ScalarSet.words.contains) ?? false
        if visits.count != program.steps.count || visit == .max {
            (visits, visit) = (Array(repeating: 0, count: program.steps.count), 0)
        }
        visit += 1
        // A match may begin anywhere.
        pending.removeAll(keepingCapacity: true)
        for thread in state.threads { pending.append(Int(thread)) }
        pending.append(program.start)
        var threads: [Int32] = []
        while let place = pending.popLast() {
            guard visits[place] != visit else { continue }
            visits[place] = visit
            work &+= 1
            switch program.steps[place] {
            case .done: return nil
            case .fork(let places): pending += places
            case .save(_, let next): pending.append(next)
            case .take(let set, let next):
                if let scalar, set.contains(scalar) { threads.append(Int32(truncatingIfNeeded: next)) }
            case .check(let assertion, let next):
                let holds =
                    switch assertion {
                    case .start: state.isAtStart
                    case .end: scalar == nil
                    case .boundary: state.isAfterWord != isBeforeWord
                    case .noBoundary: state.isAfterWord == isBeforeWord
                    }
                if holds { pending.append(next) }
            }
        }
        threads.sort()
        // Several steps may go on at the same one.
        var kept = 0
        for index in threads.indices where index == 0 || threads[index] != threads[kept - 1] {
            threads[kept] = threads[index]
            kept += 1
        }
        threads.removeLast(threads.count - kept)
        return State(threads: threads, isAtStart: false, isAfterWord: isBeforeWord)
    }
}
