package import Traffic

/// A pair of exchanges that are compared, and the result.
package struct Comparison: Sendable {
    /// The result of a comparison.
    package enum Verdict: String, Sendable, CaseIterable {
        case same, changed, added, removed
        /// There was nothing to compare.
        case failed
    }

    package let left: ExchangeSummary?
    package var right: ExchangeSummary?
    package var difference: CaptureDifference?
    /// What changed in the words of the lens that reads both, a sentence each.
    package var changes: [String] = []
    /// Why there is nothing to compare.
    package var problem: String?
    /// The names of credentials that were not sent.
    package var heldBack: [String] = []
    /// What was changed in the request before it was sent, a sentence each.
    package var notes: [String] = []
    /// The noise that this comparison taught.
    package var learnt: [String] = []

    package init(left: ExchangeSummary?, right: ExchangeSummary?) {
        self.left = left
        self.right = right
    }

    package var verdict: Verdict {
        if problem != nil { return .failed }
        guard let difference else { return left == nil ? .added : .removed }
        return difference.isEqual ? .same : .changed
    }

    /// The exchange that names the comparison: the left one, or the right where that is missing.
    package var row: ExchangeSummary? { left ?? right }

    /// `GET http://a.test/x`.
    package var name: String { row.map { "\($0.method) \($0.url)" } ?? "" }

    /// `12 → 40`.
    package var numbers: String { [left, right].compactMap { $0.map { "\($0.id)" } }.joined(separator: " → ") }

    /// Writes the comparison as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("verdict", verdict.rawValue)
            json.integer("left", left?.id)
            json.integer("right", right?.id)
            json.string("method", row?.method)
            json.string("url", row?.url)
            json.object("code") { json in
                json.integer("left", left?.code)
                json.integer("right", right?.code)
            }
            json.object("durationMs") { json in
                json.milliseconds("left", microseconds: left?.duration)
                json.milliseconds("right", microseconds: right?.duration)
            }
            json.array("changes") { json in for one in changes { json.string(nil, one) } }
            json.array("differences") { json in for one in difference?.differences ?? [] { one.write(to: &json) } }
            json.integer("more", difference?.moreCount ?? 0)
            json.counts("ignored", difference?.ignored ?? [:])
            json.string("problem", problem)
            json.array("notes") { json in for note in (difference?.notes ?? []) + notes { json.string(nil, note) } }
            json.array("heldBack") { json in for what in heldBack { json.string(nil, what) } }
            json.array("learnt") { json in for what in learnt { json.string(nil, what) } }
        }
    }
}
