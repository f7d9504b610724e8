/// One fault of a HAR file: where, what, and which importers it breaks.
package struct HARFinding: Hashable, Sendable {
    /// The entry's place from 1; 0 for the log itself.
    package var entry: Int
    /// The field's path within the entry, `response.bodySize`.
    package var field: String
    /// What is wrong with it, as the end of a sentence: `is missing`.
    package var problem: String
    /// The importers that break on it or read it wrongly.
    package var breaks: [String]
    /// How it is repaired, as the end of a sentence: `becomes -1`.
    package var mend: String

    /// The field, what is wrong, and what was done.
    package var sentence: String { "\(field) \(problem), \(mend)" }
}
