package import Traffic

/// The condition of a store: its sizes, its counts, the exchanges that wait for a block, and what is wrong.
package struct StoreReport: Sendable {
    package var path: String
    /// The version of its tables.
    package var version: Int
    /// Bytes of the file, of its log, and of the file's pages that hold nothing.
    package var bytes: Int64
    package var logBytes: Int64
    package var freeBytes: Int64
    /// Exchanges.
    package var total: Int
    /// Exchanges by outcome; only outcomes that occur.
    package var outcomes: [FacetCount]
    /// Blocks, and the exchanges in them; the others are found in their rows.
    package var blocks: Int
    package var indexed: Int
    /// When the first and the last exchange began: microseconds since 1970; `nil` in an empty store.
    package var oldest: Int64?
    package var newest: Int64?
    /// The gaps: exchanges that passed and could not be recorded, and exchanges that came to the record late.
    package var gaps: [CaptureGap] = []
    package var sessions: [StoreSession] = []
    /// What the check found; `nil` when the store was not checked.
    package var check: StoreCheck?

    /// Exchanges that are in no block yet.
    package var lag: Int { max(0, total - indexed) }

    /// Exchanges that passed and are not recorded.
    package var missing: Int { gaps.reduce(0) { $0 + $1.missingCount } }

    /// Exchanges that were recorded after their clients had the end.
    package var late: Int { gaps.reduce(0) { $1.kind == .late ? $0 + $1.count : $0 } }

    /// Writes it as members of a JSON object.
    package func write(to json: inout JSONWriter) {
        json.string("path", path)
        json.integer("version", version)
        json.integer("bytes", bytes)
        json.integer("logBytes", logBytes)
        json.integer("freeBytes", freeBytes)
        json.integer("exchanges", total)
        json.object("outcomes") { json in for outcome in outcomes { json.integer(outcome.value, outcome.count) } }
        json.string("oldest", oldest.map { Timestamp.text(microseconds: $0) })
        json.string("newest", newest.map { Timestamp.text(microseconds: $0) })
        json.integer("blocks", blocks)
        json.integer("indexLag", lag)
        json.array("gaps") { json in for gap in gaps { json.object { gap.write(to: &$0) } } }
        json.array("sessions") { json in
            for session in sessions {
                json.object { json in
                    json.string("name", session.name)
                    json.string("started", Timestamp.text(microseconds: session.started))
                    json.integer("exchanges", session.count)
                }
            }
        }
        guard let check else { return json.null("check") }
        json.object("check") { json in
            json.boolean("sound", check.isSound)
            json.integer("bodies", check.bodies)
            json.integer("bodyBytes", check.bodyBytes)
            json.array("problems") { json in for problem in check.problems { json.string(nil, problem) } }
        }
    }
}

extension CaptureGap {
    /// Writes it as members of a JSON object.
    package func write(to json: inout JSONWriter) {
        json.integer("count", count)
        json.string("from", Timestamp.text(microseconds: from))
        json.string("to", Timestamp.text(microseconds: to))
        json.string("cause", cause)
        json.string("kind", kind.rawValue)
    }
}
