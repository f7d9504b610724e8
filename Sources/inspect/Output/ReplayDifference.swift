import Foundation
import Store
import Traffic

/// What a replay changed: code, time and body beside the first exchange's.
struct ReplayDifference {
    private let before: ExchangeRecord
    private let after: ExchangeRecord
    /// Where the decoded bodies first differ, as a sentence; `nil` when they are equal.
    private let bodyChange: String?

    init(_ before: ExchangeRecord, _ after: ExchangeRecord, in store: TrafficStore) throws {
        self.before = before
        self.after = after
        bodyChange = try ReplayDifference.compare(before.exchange, after.exchange, in: store)
    }

    /// For people, one line each.
    var lines: [String] {
        let (first, second) = (before.exchange, after.exchange)
        var lines = [
            "exchange \(second.id) replays exchange \(first.id): \(second.method) \(TerminalText.escaped(second.summary.url))"
        ]
        lines.append("code   \(text(first)) → \(text(second))\(text(first) == text(second) ? "  same" : "  CHANGED")")
        lines.append("time   \(milliseconds(first)) → \(milliseconds(second))")
        lines.append("body   \(size(first)) → \(size(second))  \(bodyChange.map { "CHANGED: \($0)" } ?? "same")")
        if let failure = second.failure { lines.append("failed \(TerminalText.escaped(failure.message))") }
        return lines
    }

    /// For programs, one object.
    var json: String {
        struct Side: Encodable {
            var id: ExchangeID
            var code: Int?
            var durationMs: Double?
            var responseBytes: Int64
        }
        struct Whole: Encodable {
            var before: Side
            var after: Side
            var sameCode: Bool
            var sameBody: Bool
            var bodyChange: String?
        }
        func side(_ exchange: Exchange) -> Side {
            Side(
                id: exchange.id,
                code: exchange.code,
                durationMs: exchange.timeline.duration.map { Double($0) / 1_000 },
                responseBytes: exchange.response?.body.length ?? 0
            )
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let whole = Whole(
            before: side(before.exchange),
            after: side(after.exchange),
            sameCode: before.exchange.code == after.exchange.code,
            sameBody: bodyChange == nil,
            bodyChange: bodyChange
        )
        return (try? encoder.encode(whole)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private func text(_ exchange: Exchange) -> String { exchange.code.map(String.init) ?? exchange.outcome.rawValue }

    private func milliseconds(_ exchange: Exchange) -> String {
        exchange.timeline.duration.map { String(format: "%.1f ms", Double($0) / 1_000) } ?? "open"
    }

    private func size(_ exchange: Exchange) -> String { "\(exchange.response?.body.length ?? 0) B" }

    /// Compares by digest, then looks for the place.
    private static func compare(_ first: Exchange, _ second: Exchange, in store: TrafficStore) throws -> String? {
        let (before, after) = (first.response?.body ?? Body(), second.response?.body ?? Body())
        if before.sha256 == after.sha256, before.length == after.length { return nil }
        var offset: Int64 = 0
        let step = 256 << 10
        while offset < min(before.kept, after.kept) {
            let left = try store.body(first.id, .response, offset: offset, limitBytes: step)
            let right = try store.body(second.id, .response, offset: offset, limitBytes: step)
            if let place = zip(left, right).enumerated().first(where: { $0.element.0 != $0.element.1 }) {
                return "first difference at byte \(offset + Int64(place.offset))"
            }
            let common = min(left.count, right.count)
            guard common > 0 else { break }
            offset += Int64(common)
        }
        return before.length == after.length
            ? "different bytes past what was kept" : "\(after.length - before.length) bytes longer or shorter"
    }
}
