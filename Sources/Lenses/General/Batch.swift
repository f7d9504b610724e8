import Traffic

/// The words for the messages of a batch: the first messages, and how many more there are.
enum Batch {
    /// The most messages that are shown.
    static let shownLimit = 20

    /// The first messages on one line.
    static func words<Message>(_ messages: [Message], _ words: (Message) -> String) -> String {
        let shown = messages.prefix(shownLimit).map(words)
        let rest = messages.count > shown.count ? ["… \(messages.count - shown.count) more"] : []
        return (shown + rest).joined(separator: " | ")
    }

    /// The part of a view that counts the messages that are not shown; `nil` where all are shown.
    static func rest(_ count: Int, _ word: String) -> LensSection? {
        guard count > shownLimit else { return nil }
        return LensSection("And more", .text("\((count - shownLimit).counted("more \(word)"))"))
    }
}
