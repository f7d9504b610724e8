import Traffic

/// How the messages of a batch are shown: the first of them, and how many more there are.
enum Batch {
    /// Messages that are shown.
    static let shownLimit = 20

    /// The first messages on one line.
    static func words<Message>(_ messages: [Message], _ words: (Message) -> String) -> String {
        let shown = messages.prefix(shownLimit).map(words)
        let rest = messages.count > shown.count ? ["… \(messages.count - shown.count) more"] : []
        return (shown + rest).joined(separator: " | ")
    }

    /// The part of a view that says how many messages have none; `nil` where each has one.
    static func rest(_ count: Int, _ word: String) -> LensSection? {
        guard count > shownLimit else { return nil }
        return LensSection("And more", .text("\((count - shownLimit).counted("more \(word)"))"))
    }
}
