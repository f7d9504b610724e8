import Synchronization

/// A run of a program over a text that comes in pieces.
struct RegexScan {
    private let program: RegexProgram
    /// The current state, and its number in the generation that gave it.
    private var state = RegexStates.State()
    private var number: Int32?
    private var generation = -1
    /// Steps of the program that were tried because the table had no answer.
    private(set) var work = 0

    init(_ program: RegexProgram) { self.program = program }

    /// Takes the next piece, UTF-8 with whole scalars; true once it has matched.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        program.states.withLock { states in
            let before = states.work
            defer { work &+= states.work &- before }
            var number = place(in: &states)
            var index = 0
            while index < bytes.count {
                let scalar = RegexScan.scalar(bytes, &index)
                guard let next = states.step(number, scalar, program) else { return true }
                number = next
            }
            (self.number, generation, state) = (number, states.generation, states.states[Int(number)])
            return false
        }
    }

    /// Says that the text has ended; true if it matches now.
    mutating func finish() -> Bool {
        program.states.withLock { states in
            let before = states.work
            defer { work &+= states.work &- before }
            let number = place(in: &states)
            return states.step(number, nil, program) == nil
        }
    }

    private func place(in states: inout RegexStates) -> Int32 {
        guard let number else { return states.startNumber }
        return generation == states.generation ? number : states.number(of: state)
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
