/// The values of a rules file with their places; the reader of the file's language makes it.
package struct RuleTree: Hashable, Sendable {
    /// How a text was written.
    package enum Style: Hashable, Sendable {
        /// Without quotes, so that it may be a number, `true` or nothing.
        case plain
        /// In quotes, on one line.
        case quoted
        /// Over several lines.
        case block
    }

    package indirect enum Content: Hashable, Sendable {
        case text(String, Style)
        case list([RuleTree])
        case mapping([Member])
    }

    /// A name with its value.
    package struct Member: Hashable, Sendable {
        package var name: RuleTree
        package var value: RuleTree

        package init(name: RuleTree, value: RuleTree) { (self.name, self.value) = (name, value) }
    }

    package var content: Content
    /// Line and column count from 1.
    package var line: Int
    package var column: Int

    package init(_ content: Content, line: Int, column: Int) {
        (self.content, self.line, self.column) = (content, line, column)
    }

    /// The text; `nil` for a list and a mapping.
    package var text: String? { if case .text(let text, _) = content { text } else { nil } }

    /// Whether it is a text whose characters stand one after the other on one line.
    var isOnOneLine: Bool {
        guard case .text(let text, let style) = content else { return false }
        return style != .block && !text.contains(where: \.isNewline)
    }

    /// Whether there is no value.
    package var isNothing: Bool {
        guard case .text(let text, .plain) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }
}
