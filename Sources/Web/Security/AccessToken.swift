/// A secret that a visitor must show; the comparison does not tell how much of a guess was right.
struct AccessToken: Sendable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    /// Whether the text is the secret; the comparison takes the same time for every wrong text of the secret's length.
    func matches(_ text: some StringProtocol) -> Bool {
        let guess = Array(text.utf8)
        guard guess.count == bytes.count else { return false }
        var difference: UInt8 = 0
        for (left, right) in zip(guess, bytes) { difference |= left ^ right }
        return difference == 0
    }
}
