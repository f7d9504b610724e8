/// A text with a tone, which tells the reader what the text means.
package struct LensText: Sendable, Equatable, ExpressibleByStringLiteral {
    /// How the text is drawn.
    package enum Tone: String, Sendable, CaseIterable {
        case plain, good, bad, warning, faint
    }

    package var text: String
    package var tone: Tone

    package init(_ text: String, _ tone: Tone = .plain) {
        self.text = text
        self.tone = tone
    }

    package init(stringLiteral value: String) { self.init(value) }
}
