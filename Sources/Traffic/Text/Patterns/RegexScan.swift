import Synchronization

/// A run of a program over a text that comes in pieces.
struct RegexScan {
    private let program: RegexProgram
    /// The current state, and its number in the generation that gave it.
    private var state = RegexStates.State()
    private var place: (number: Int32, generation: Int)?
    /// Steps of the program that were tried because the table had no answer.
    private(set) var work = 0

    init(_ program: RegexProgram) { self.program = program }

    /// Takes the next piece, UTF-8 with whole scalars; true once it has matched.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        program.states.withLock { states in
            let before = states.work
            defer { work &+= states.work &- before }
            var number = number(in: &states)
            var index = 0
            while index < bytes.count {
                let scalar = RegexScan.scalar(bytes, &index)
                guard let next = states.step(number, scalar, program) else { return true }
                number = next
            }
            place = (number, states.generation)
            state = states.states[Int(number)]
            return false
        }
    }

    /// Says that the text has ended; true if it matches now.
    mutating func finish() -> Bool {
        program.states.withLock { states in
            let before = states.work
            defer { work &+= states.work &- before }
            let number = number(in: &states)
            return states.step(number, nil, program) == nil
        }
    }

    /// Bytes of a text between two questions whether to go on.
    private static let stretchBytes = 4 << 10

    /// Whether the program matches anywhere in a whole text.
    ///
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - mayGo: is told what a stretch took: the bytes that were looked at, and the steps that were tried where the table had no answer; `false`
    ///     where that is too much.
    /// - Returns: whether it matches; `nil` where it took too much.
    mutating func find(in text: UnsafeRawBufferPointer, mayGo: (_ bytes: Int, _ steps: Int) -> Bool) -> Bool? {
        var start = 0
        var isFound = false
        while !isFound {
            var end = min(start + RegexScan.stretchBytes, text.count)
            // A stretch ends with a whole scalar, where the text has any.
            for _ in 0..<3 where end < text.count && text[end] & 0xC0 == 0x80 { end += 1 }
            let before = work
            let isEnd = start == end
            isFound = isEnd ? finish() : feed(UnsafeRawBufferPointer(rebasing: text[start..<end]))
            guard mayGo(end - start, work - before) else { return nil }
            if isEnd { break }
            start = end
        }
        return isFound
    }

    private func number(in states: inout RegexStates) -> Int32 {
        guard let place else { return states.startNumber }
        return place.generation == states.generation ? place.number : states.number(of: state)
    }

    /// Takes the scalar at an index; a byte that begins none stands for itself.
    private static func scalar(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> UInt32 {
        let first = UInt32(bytes[index])
        index += 1
        guard first >= 0xC0 else { return first }
        let length = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1
        guard index + length <= bytes.count else { return first }
        var value = first & (0x3F >> UInt32(length))
        for _ in 0..<length {
            value = value << 6 | UInt32(bytes[index] & 0x3F)
            index += 1
        }
        return value
    }
}
