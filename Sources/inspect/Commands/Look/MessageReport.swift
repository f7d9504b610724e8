import Archive
import Foundation
import NIOCore
import Store
import Traffic

/// What `inspect show --messages` shows: the messages of an exchange's stream, a line each, none cut.
struct MessageReport: StreamedReport {
    /// Messages read from the store at a time.
    static let pageMessages = 100
    /// Messages that stand with an exchange before the rest is pointed at.
    private static let sectionMessages = 100
    /// Characters of a message that its line shows there.
    private static let previewCharacters = 200

    let exchange: Exchange
    let store: TrafficStore

    /// Writes `{"messages":[…]}`.
    func write(to json: inout JSONWriter, handOn: (inout JSONWriter) throws -> Void) throws {
        try json.object { json in
            try json.array("messages") { json in
                try each { message in
                    MessageJSON(message, started: exchange.timeline.started).write(to: &json)
                    try handOn(&json)
                }
            }
        }
    }

    func print(to console: Console) throws {
        try each { try console.line(line($0, characters: .max, console.style)) }
    }

    /// The part of an exchange's report about its messages; nothing where it has none.
    func section(in layout: Layout) throws -> [String] {
        guard exchange.mayHaveMessages else { return [] }
        let first = try store.messages(
            of: exchange.id,
            limit: MessageReport.sectionMessages + 1,
            payloadBytes: MessageReport.previewCharacters * 4
        )
        guard !first.isEmpty else { return [] }
        let counts = exchange.messages
        var lines = [
            "",
            layout.style.paint("Messages", .bold)
                + layout.style.paint("  \(counts.request) sent, \(counts.response) received", .dim),
        ]
        lines += first.prefix(MessageReport.sectionMessages).map {
            line($0, characters: MessageReport.previewCharacters, layout.style)
        }
        if first.count > MessageReport.sectionMessages {
            lines.append("… more messages: inspect show \(exchange.id) --messages")
        }
        return lines
    }

    /// Gives every message.
    private func each(_ give: (StreamMessage) throws -> Void) throws {
        var last: Int64 = 0
        while true {
            let page = try store.messages(of: exchange.id, after: last, limit: MessageReport.pageMessages)
            for message in page { try give(message) }
            guard let end = page.last, page.count == MessageReport.pageMessages else { return }
            last = end.number
        }
    }

    /// One message: time of day, direction, what it is, size, payload.
    private func line(_ message: StreamMessage, characters: Int, _ style: Style) -> String {
        let time = LocalTime.full(microseconds: message.time).dropFirst(11)
        let arrow = message.side == .request ? "→" : "←"
        var label = VisibleText.line(message.label)
        if let status = message.status { label += " \(status)" }
        if let id = message.eventID { label += " #\(VisibleText.line(id))" }
        var text = payload(message)
        if text.count > characters { text = text.prefix(characters) + "…" }
        let problem = message.problem.map { "  " + style.paint("(\(VisibleText.line($0)))", .yellow) } ?? ""
        return [
            style.paint(String(time), .dim), arrow, padded(label, 8),
            padded(Measure.bytes(message.size), 7, isRight: true),
            text,
        ].joined(separator: "  ") + problem
    }

    private func payload(_ message: StreamMessage) -> String {
        if let text = message.text {
            return VisibleText.line(text) + (message.isTruncated && message.problem == nil ? "…" : "")
        }
        let bytes = message.payload.readableBytesView.prefix(32)
        let hexadecimal = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
        return hexadecimal + (Int64(bytes.count) < message.size ? " …" : "")
    }

    private func padded(_ text: String, _ width: Int, isRight: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - text.count))
        return isRight ? blanks + text : text + blanks
    }
}
