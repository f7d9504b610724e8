import Foundation
import Store
import Traffic

/// The messages of an exchange's stream as a person reads them: a line each, safe to show on a terminal.
struct MessageView {
    /// Messages read from the store at a time.
    static let pageMessages = 100
    /// Messages that stand with an exchange before the rest is pointed at.
    private static let sectionMessages = 100
    /// Characters of a message that its line shows there.
    private static let previewCharacters = 200

    private let exchange: Exchange
    private let store: TrafficStore
    private let style: Style

    init(_ exchange: Exchange, store: TrafficStore, style: Style) {
        self.exchange = exchange
        self.store = store
        self.style = style
    }

    /// The part of an exchange's view about its messages; nothing where it has none.
    func section() throws -> [String] {
        guard exchange.mayHaveMessages else { return [] }
        let first = try store.messages(
            of: exchange.id,
            limit: MessageView.sectionMessages + 1,
            payloadBytes: MessageView.previewCharacters * 4
        )
        guard !first.isEmpty else { return [] }
        let counts = exchange.messages
        var lines = [
            "",
            style.paint("Messages", .bold)
                + style.paint("  \(counts.request) sent, \(counts.response) received", .dim),
        ]
        lines += first.prefix(MessageView.sectionMessages).map { line($0, characters: MessageView.previewCharacters) }
        if first.count > MessageView.sectionMessages {
            lines.append("… more messages: inspect show \(exchange.id) --messages")
        }
        return lines
    }

    /// Gives every message as a line, none cut.
    func each(_ give: (String) throws -> Void) throws {
        try read { try give(line($0, characters: .max)) }
    }

    /// Gives every message.
    func read(_ give: (StreamMessage) throws -> Void) throws {
        var last: Int64 = 0
        while true {
            let page = try store.messages(of: exchange.id, after: last, limit: MessageView.pageMessages)
            for message in page { try give(message) }
            guard let end = page.last, page.count == MessageView.pageMessages else { return }
            last = end.number
        }
    }

    /// One message: time of day, direction, what it is, size, payload.
    private func line(_ message: StreamMessage, characters: Int) -> String {
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
