/// A name, or a pattern of names in which `*` stands for any run of characters.
package struct NameGlob: Hashable, Sendable {
    package let text: String
    private let pattern: [UInt8]
    private let ignoresCase: Bool
    /// Bytes of the pattern behind its first `*`, which may be compared again and again.
    private let repeated: Int

    /// A pattern of names.
    ///
    /// - Parameters:
    ///   - text: the pattern.
    ///   - ignoresCase: whether ASCII letters of either case are the same, as in names of fields.
    package init(_ text: String, ignoresCase: Bool) {
        self.text = text
        self.ignoresCase = ignoresCase
        pattern = Array((ignoresCase ? ASCII.lower(text) : text).utf8)
        repeated = max(0, pattern.drop { $0 != UInt8(ascii: "*") }.count - 1)
    }

    /// Whether the pattern names more than one name.
    var isPattern: Bool { pattern.contains(UInt8(ascii: "*")) }

    /// Whether a name matches.
    func matches(_ name: String) -> Bool {
        FacetSelector.glob(pattern, Array((ignoresCase ? ASCII.lower(name) : name).utf8))
    }

    /// Whether a name in UTF-8 matches.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - work: the work that is left; it is reduced by what the answer may cost: each byte of the name is looked at for each of the pattern behind a `*`.
    /// - Returns: whether it does.
    /// - Throws: `RuleFault` where there is not so much left.
    func matches(_ name: [UInt8], _ work: inout EditWork) throws(RuleFault) -> Bool {
        guard isPattern || name.count == pattern.count else { return false }
        let (cost, isBeyond) = name.count.multipliedReportingOverflow(by: max(1, repeated))
        guard !isBeyond, work.read(cost + 1) else { throw NameGlob.tooMuch }
        return FacetSelector.glob(pattern, ignoresCase ? name.map(ASCII.lower) : name)
    }

    private static let tooMuch = RuleFault("to look for the names takes too much work on this message")

    /// Edits that count for one, for the time that they take: behind a `*` as many as it has bytes.
    var edits: Int { isPattern ? pattern.count : 1 }
}
