/// A search for a pattern in a text that comes in pieces; it holds no more than one piece.
struct TextScan {
    private enum State {
        /// The needle, and the last bytes that came, one fewer than the needle has.
        case needle([UInt8], carried: [UInt8])
        case program(RegexScan)
    }

    private var state: State
    /// Whether it was found.
    private(set) var isFound = false

    init(_ pattern: TextPattern) {
        switch pattern.engine {
        case .needle(let needle): state = .needle(needle, carried: [])
        case .program(let program): state = .program(RegexScan(program))
        }
    }

    /// Takes the next piece, UTF-8 with whole scalars; true once it was found.
    mutating func feed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isFound else { return true }
        switch state {
        case .needle(let needle, var text):
            TextFold.append(bytes, to: &text)
            isFound = TextFold.find(needle, in: text) != nil
            state = .needle(needle, carried: Array(text.suffix(max(0, needle.count - 1))))
        case .program(var scan):
            isFound = scan.feed(bytes)
            state = .program(scan)
        }
        return isFound
    }

    /// Says that the text has ended; true if it was found, then or before.
    mutating func finish() -> Bool {
        if !isFound, case .program(var scan) = state { isFound = scan.finish() }
        return isFound
    }
}
