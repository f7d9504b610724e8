import NIOCore
import Traffic

/// Fields of heads that rules must not lose, and those that they must not change.
extension ExchangeRules {
    /// Takes the fields that rules have set out of what Connection fields name, so that they pass on as any other field.
    ///
    /// - Parameters:
    ///   - message: the edited message.
    ///   - side: whose.
    ///   - firings: the rules that applied.
    func keepRuled(_ message: inout EditedMessage, _ side: MessageSide, by firings: [RuleFiring]) {
        var names: Set<String> = []
        for firing in firings {
            for name in firing.fieldNames(side).map({ ASCII.lower($0) }) {
                names.insert(name)
                // These never pass: they are for the other end of one connection (RFC 9110 §11.7).
                guard name.hasPrefix("proxy-auth") || side == .request && name.hasPrefix("proxy-") else { continue }
                let note = "skipped: \(name) is for the proxy at the other end, and is not passed on"
                guard let place = run.uses.lastIndex(where: { firing.hasMade($0, side) }) else { continue }
                run.uses[place].note = note
            }
        }
        if !names.isEmpty { message.changeHead { HopByHop.keeping(names, in: $0) } }
    }

    /// Edits the answer that opens a WebSocket; rules whose edits would break what both ends have agreed on are skipped.
    ///
    /// - Parameters:
    ///   - head: the answer.
    ///   - firings: the rules that apply.
    ///   - exchange: the record so far.
    /// - Returns: the answer for the client.
    func edit(handshake head: ByteBuffer, by firings: [RuleFiring], of exchange: Exchange) -> EditedMessage {
        let before = run.uses
        let edited = edit(head, .response, by: firings, of: exchange)
        guard HopByHop.agreement(head) != HopByHop.agreement(edited.head) else {
            noteNoTrailers(.response)
            return edited
        }
        let note = "skipped: the edit would break the opening of the WebSocket"
        run.uses = before + firings.filter(\.editsResponse).map { $0.use(.response, note) }
        forgetTrailers(.response)
        return EditedMessage(head: head)
    }
}

extension RuleFiring {
    /// The names of the fields that the rule sets or adds on a side.
    fileprivate func fieldNames(_ side: MessageSide) -> [String] {
        actions(on: side).flatMap { action -> [String] in
            switch action {
            case .request(let edit), .response(let edit): (edit.fields.set + edit.fields.add).map(\.name)
            default: []
            }
        }
    }

    /// Whether a record is the one of what the rule did on a side.
    fileprivate func hasMade(_ use: RuleUse, _ side: MessageSide) -> Bool {
        use.rule == rule.name && use.phase == phase && use.action == side.rawValue
    }

    fileprivate var editsResponse: Bool {
        actions(on: .response).contains { if case .response = $0 { true } else { false } }
    }

    fileprivate func use(_ side: MessageSide, _ note: String) -> RuleUse {
        RuleUse(rule: rule.name, phase: phase, action: side.rawValue, what: "", note: note)
    }
}

extension HopByHop {
    /// A head whose Connection fields do not name these fields, in lower case.
    fileprivate static func keeping(_ names: Set<String>, in head: ByteBuffer) -> ByteBuffer {
        // What becomes of the connection is said by these, whatever fields have their names.
        let names = names.subtracting(["close", "keep-alive", "upgrade"])
        let fields = HeaderList(head: head)
        let places = fields.indices.filter {
            fields.isNamed("connection", at: $0) && !names.isDisjoint(with: options(fields, $0))
        }
        guard !places.isEmpty else { return head }
        var out = ByteBuffer()
        let start = endOfStartLine(head)
        if let line = head.getSlice(at: head.readerIndex, length: start - head.readerIndex) {
            out.writeImmutableBuffer(line)
        }
        copyFields(fields, from: start, dropping: places, into: &out) { position, out in
            let left = options(fields, position).filter { !names.contains($0) }
            if !left.isEmpty { out.writeString("Connection: \(left.joined(separator: ", "))\r\n") }
        }
        return out
    }

    /// What the ends of a WebSocket have agreed on by its answer: the code, the proof that it was understood, and the extensions.
    fileprivate static func agreement(_ head: ByteBuffer) -> [String] {
        let fields = HeaderList(head: head)
        let line = head.readableBytesView.prefix { $0 != ASCII.carriageReturn }.split(separator: ASCII.space)
        return line.dropFirst().prefix(1).map { ByteText.repaired($0) }
            + fields.values("sec-websocket-accept") + [""]
            + fields.values("sec-websocket-extensions")
    }
}
