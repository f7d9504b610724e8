/// The name of a tag: one word in lower case, so that `tag:slow` needs no quotes and means one thing.
package enum Tag {
    /// Characters of a name.
    private static let limit = 64
    /// Bytes of a text that may be one.
    private static let limitBytes = 1_000

    /// A name as it is kept.
    ///
    /// - Throws: `FilterError` when it is empty, too long, `none`, or holds anything but letters, digits and `- _ . : / @ # +`.
    package static func name(_ text: String) throws -> String {
        // A letter may have many bytes; all of a long text are not looked at, since a file may give one for many rules.
        guard text.utf8.count <= limitBytes else { throw refusal(of: RuleProblem.shown(text, limitBytes: limit)) }
        let name = text.trimmingBlanks.lowercased()
        let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || "-_.:/@#+".contains($0) }
        guard isPlain, (1...limit).contains(name.count), name.first.map({ $0.isLetter || $0.isNumber }) == true else {
            throw refusal(of: text)
        }
        guard name != Facet.none else {
            throw FilterError("\"none\" cannot be a tag: tag:none selects what has none")
        }
        return name
    }

    private static func refusal(of text: String) -> FilterError {
        FilterError(
            "\"\(text)\" cannot be a tag; expected one word of at most \(limit) letters, digits and -_.:/@#+, for example slow"
        )
    }

    /// The names as one text, as a facet and a column hold them.
    package static func joined(_ names: [String]) -> String { names.joined(separator: ",") }

    /// The names in a text that `joined` made.
    package static func separated(_ text: String) -> [String] { text.split(separator: ",").map(String.init) }
}
