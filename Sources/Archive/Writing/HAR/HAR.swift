package import Traffic

/// Writes exchanges as HAR 1.2, entry by entry and body by body in pieces, so that memory does not grow with the capture.
///
/// It follows the rules that importers insist on: every number is there, `time` is the sum of the phases, TLS is inside `connect`, `content.size` is
/// the decoded size, an unanswered request has status 0, and facts without a place in HAR have names that begin with `_`.
package enum HAR {
    /// Which exchanges become entries.
    package enum Scope: Sendable {
        /// Exchanges that ended, answered, failed or cancelled.
        case ended
        /// Pending and tunnelled ones too, with status 0 and `_outcome`.
        case all

        /// Whether an exchange of this outcome becomes an entry.
        package func includes(_ outcome: Outcome) -> Bool {
            self == .all || outcome != .pending && outcome != .tunnelled
        }
    }

    /// Bytes that are gathered before they are written out.
    private static let flushBytes = 64 * 1024

    /// Writes a whole file.
    ///
    /// - Parameters:
    ///   - creatorVersion: the version of this program.
    ///   - scope: which exchanges become entries.
    ///   - measure: what an import reads of an entry; bodies and messages are cut to it.
    ///   - source: the bodies' bytes; asked for twice, or more often where an entry may be too long, piece by piece.
    ///   - messages: the messages of streams; asked for page by page.
    ///   - next: the exchanges one by one, oldest first; `nil` at the end.
    ///   - write: takes the next bytes of the file.
    /// - Returns: the measure, which has counted the entries that were cut or are too long for an import.
    /// - Throws: what `source`, `messages`, `next` and `write` throw.
    @discardableResult
    package static func write(
        creatorVersion: String,
        scope: Scope,
        measure: EntryMeasure = EntryMeasure(),
        source: ArchiveSource,
        messages: MessageSource = { _, _ in [] },
        next: () throws -> ExchangeRecord?,
        to write: ([UInt8]) throws -> Void
    ) throws -> EntryMeasure {
        var measure = measure
        func handOn(_ json: inout JSONWriter) throws {
            if json.bytes.count >= flushBytes { try write(json.take()) }
        }
        var json = JSONWriter()
        try json.object { json in
            try json.object("log") { json in
                json.string("version", "1.2")
                json.object("creator") { json in
                    json.string("name", "inspect")
                    json.string("version", creatorVersion)
                }
                json.array("pages") { _ in }
                try json.array("entries") { json in
                    while let record = try next() {
                        guard scope.includes(record.exchange.outcome) else { continue }
                        let entry = HAREntry(record)
                        let contents = try entry.contents(source)
                        try measure.entry(&json, record.exchange.id, contents, source: source) { json, contents in
                            try entry.write(contents, to: &json, source: source, messages: messages, handOn: handOn)
                        }
                        try handOn(&json)
                    }
                }
            }
        }
        json.newline()
        try write(json.take())
        return measure
    }
}
