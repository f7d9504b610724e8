import Traffic

/// Lenses in the order they are asked.
package struct LensSet: Sendable {
    /// Every lens there is: those of known APIs, then the general ones.
    package static let standard = LensSet([
        WhatsOpenLens(),
        VirtualMeetingsLens(),
        CKANLens(),
        NoticesLens(),
        DiningMenuLens(),
        NativeCloudKitLens(),
        GraphQLLens(),
        JSONRPCLens(),
        GRPCLens(),
        FormLens(),
        JSONLens(),
    ])

    package let lenses: [any Lens]

    package init(_ lenses: [any Lens]) { self.lenses = lenses }

    /// The lens of a name.
    package func lens(named name: String) -> (any Lens)? { lenses.first { $0.name == name } }

    /// The lens that an exchange was given when it ended; of one that was recorded before there were lenses, the one it would be given now.
    package func lens(of capture: Capture) -> (any Lens)? {
        if let name = capture.summary.lens { return lens(named: name) }
        let start = { (side: MessageSide) in
            (side == .request ? capture.request : capture.response).bytes.prefix(BodyStart.limitBytes)
        }
        return recognized(ExchangeOutline(capture.exchange)) { String(decoding: start($0), as: UTF8.self) }
    }

    /// The first lens that recognises an exchange by its host, else by its heads, else by the beginnings of its bodies.
    private func recognized(_ outline: ExchangeOutline, text: (MessageSide) -> String) -> (any Lens)? {
        for evidence in [LensEvidence.host, .heads] {
            if let lens = lenses.first(where: { $0.recognizes(outline, by: evidence) }) { return lens }
        }
        for side in [MessageSide.response, .request] {
            guard LensSet.mayBeJSON(outline, side) else { continue }
            let start = text(side)
            guard !start.isEmpty else { continue }
            if let lens = lenses.first(where: { $0.recognizes(outline, by: .body(side, start)) }) { return lens }
        }
        return lenses.first { $0.recognizes(outline, by: .remainder) }
    }

    /// Whether a body is worth a look: what lenses recognise by its body is JSON.
    private static func mayBeJSON(_ outline: ExchangeOutline, _ side: MessageSide) -> Bool {
        let message = side == .request ? outline.exchange.request : outline.exchange.response
        guard let message, message.body.length > 0 else { return false }
        guard let type = MediaType(message.fields.first("Content-Type")) else { return true }
        return type.isJSON || type.isTextual && !type.isXML
    }
}

extension LensSet: ExchangeClassifier {
    package func classify(_ exchange: Exchange, bodyStart: (MessageSide) -> [UInt8]) -> ExchangeClass {
        let outline = ExchangeOutline(exchange)
        let lens = recognized(outline) { side in
            let message = side == .request ? exchange.request : exchange.response
            guard let message else { return "" }
            let coded = bodyStart(side)
            let decoder = ContentDecoder(names: message.codings, limitBytes: BodyStart.limitBytes)
            guard !decoder.isIdentity else { return String(decoding: coded, as: UTF8.self) }
            var text: [UInt8] = []
            decoder.write(coded) { text.append(contentsOf: $0) }
            return String(decoding: text, as: UTF8.self)
        }
        return ExchangeClass(client: lens?.client(of: outline), lens: lens?.name)
    }
}
