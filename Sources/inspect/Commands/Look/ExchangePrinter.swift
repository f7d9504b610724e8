import Archive
import Foundation
import Store
import Traffic

/// Prints an exchange, or one of its bodies, for programs.
struct ExchangePrinter {
    let console: Console
    let store: TrafficStore
    /// Decoded bytes of a body that are looked at.
    let decodedLimitBytes: Int

    /// The whole exchange as one JSON object, its bodies in pieces.
    func json(_ record: ExchangeRecord) throws {
        var json = JSONWriter(isIndented: console.isTerminal)
        let messages: MessageSource = { try store.messages(of: $0, after: $1, limit: MessageView.pageMessages) }
        let view = try DecodedView(record, store: store, limitBytes: decodedLimitBytes)
        try json.object { json in
            try ExchangeJSON(record).members(to: &json, source: store.body, messages: messages) {
                try console.write($0.take())
            }
            view.write(to: &json)
        }
        json.newline()
        try console.write(json.take())
    }

    /// What its lens reads, alone.
    func decoded(_ record: ExchangeRecord, json: Bool) throws {
        let view = try DecodedView(record, store: store, limitBytes: decodedLimitBytes)
        try view.printAlone(console, json: json)
    }

    /// The messages of its stream alone: a line each, or one JSON object.
    func messages(of record: ExchangeRecord, json asJSON: Bool) throws {
        let view = MessageView(record.exchange, store: store, style: console.style)
        guard asJSON else { return try view.each { try console.line($0) } }
        var json = JSONWriter(isIndented: console.isTerminal)
        try json.object { json in
            try json.array("messages") { json in
                try view.read { message in
                    MessageJSON(message, started: record.exchange.timeline.started).write(to: &json)
                    try console.write(json.take())
                }
            }
        }
        json.newline()
        try console.write(json.take())
    }

    /// One body: as stored when `raw`, else decoded; to a terminal as text that is safe to show.
    func body(of record: ExchangeRecord, _ side: MessageSide, raw: Bool) throws {
        guard let message = record.message(side) else {
            throw InputError("exchange \(record.exchange.id) has no \(side.rawValue)")
        }
        let view = BodyView(store, record.exchange.id, side, message, limitBytes: decodedLimitBytes)
        if raw {
            try view.writeStored { try console.write($0) }
            if message.body.isTruncated {
                note("only the first \(message.body.kept) of \(message.body.length) bytes were kept")
            }
        } else if console.isTerminal {
            for line in try view.lines() { try console.line(line) }
        } else if let problem = try view.writeDecoded({ try console.write($0) }) {
            note(problem)
        }
    }

    /// Tells the user on standard error, beside the bytes.
    private func note(_ text: String) {
        Console.remark("inspect: \(VisibleText.line(text))")
    }
}
