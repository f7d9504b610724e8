/// What is known of one body: its length and digest as sent on the wire (content coding applied, chunked framing removed).
package struct Body: Hashable, Sendable {
    /// Bytes that passed, whole, whatever was kept.
    package var length: Int64 = 0
    /// Leading bytes that the store kept; less than `length` when the body limit cut it.
    package var kept: Int64 = 0
    /// SHA-256 of all `length` bytes, 32 bytes; empty while the body is open or when there was none.
    package var sha256: [UInt8] = []
    /// What the kept bytes are, where they came out of an archive and differ from those of the wire; `nil` for a captured body.
    package var archived: ArchivedBody?

    /// Whether the store holds less than what passed.
    package var isTruncated: Bool { keptOnWire < length }

    /// Leading bytes of what passed that are kept, in whatever form.
    package var keptOnWire: Int64 { archived?.kept ?? kept }

    /// Why only a part of the body can be shown.
    ///
    /// - Parameter decoding: what went wrong when the content codings of the kept bytes were undone.
    /// - Returns: one or more sentences; `nil` where the whole can be shown.
    package func problem(decoding: String?) -> String? {
        if let archived { return archived.problem }
        guard isTruncated else { return decoding }
        let cut = "Only the first \(kept) of \(length) bytes were kept."
        return decoding.map { "\(cut) \($0)" } ?? cut
    }

    package init() {}

    package init(length: Int64, kept: Int64, sha256: [UInt8]) {
        self.length = length
        self.kept = kept
        self.sha256 = sha256
    }
}
