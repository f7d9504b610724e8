/// The name of a session, as options and `session:` take it.
package enum SessionName {
    /// Characters of a name.
    private static let limit = 100

    /// Why a text is no name of a session, as the end of a sentence; `nil` where it is one.
    package static func problem(of text: String) -> String? {
        let isFine = (1...limit).contains(text.count) && !text.contains(where: \.isNewline)
        return isFine ? nil : "takes a name of 1 to \(limit) characters on one line"
    }
}
