/// The field lines and the texts of an exchange's line that several tests look into, each read when first asked for and folded at most twice: a field's
/// value alone and in its line, the URL for `url:` and among the URLs that a search for text sees.
///
/// It holds the fields of both messages, whose heads have a bound (`HeadLimits`), the readings of the target, note and session, and the same folded.
/// It has one owner, and lasts as long as a judgement.
package final class SearchedHeads {
    private var lines: [MessageSide: [SearchedField]] = [:]
    /// The texts of each line, and under `nil` the URLs as a search for text sees them.
    private var texts: [FilterLine?: [SearchedText]] = [:]

    package init() {}

    /// Whether a message has a field line that is looked for.
    ///
    /// - Parameters:
    ///   - side: whose message.
    ///   - read: gives the lines; called the first time only.
    ///   - isWanted: whether a line is looked for.
    /// - Returns: whether it has.
    func hasLine(
        _ side: MessageSide,
        read: () -> [HeaderList.Field],
        _ isWanted: (inout SearchedField) -> Bool
    ) -> Bool {
        // Nobody else holds them meanwhile, so that what is folded is kept in place.
        var lines = lines.removeValue(forKey: side) ?? read().map { SearchedField($0) }
        defer { self.lines[side] = lines }
        return lines.indices.contains { isWanted(&lines[$0]) }
    }

    /// Whether a text that the exchange's line has matches one of some patterns.
    ///
    /// - Parameters:
    ///   - line: which; `nil` for the URLs as a search for text sees them.
    ///   - read: gives the texts; called the first time only.
    ///   - patterns: the patterns.
    /// - Returns: whether one does.
    func hasText(of line: FilterLine?, read: () -> [String], _ patterns: [TextPattern]) -> Bool {
        var texts = texts.removeValue(forKey: line) ?? read().map { SearchedText($0) }
        defer { self.texts[line] = texts }
        return texts.indices.contains { index in patterns.contains { texts[index].matches($0) } }
    }
}
