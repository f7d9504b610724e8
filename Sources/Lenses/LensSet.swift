package import Traffic

/// The lenses in the order in which they are asked; `standard`, which the plugin LensList writes, has every lens.
package struct LensSet: Sendable {
    package let lenses: [any Lens]
    /// Values that are read of the JSON of a body.
    private let valuesLimit: Int
    /// The lenses that go by the host, by the heads, by a body, and by what remains.
    private let byHost, byHeads, byBody, byRemainder: [any Lens]

    package init(_ lenses: [any Lens], valuesLimit: Int = JSONBound.valuesLimit) {
        (self.lenses, self.valuesLimit) = (lenses, valuesLimit)
        byHost = lenses.filter { $0.grounds.contains(.host) }
        byHeads = lenses.filter { $0.grounds.contains(.heads) }
        byBody = lenses.filter { $0.grounds.contains(.body) }
        byRemainder = lenses.filter { $0.grounds.contains(.remainder) }
    }

    /// The exchange that a lens is given: without a body whose JSON has more values than `valuesLimit`.
    package func bounded(_ capture: Capture) -> Capture {
        Capture(
            exchange: capture.exchange,
            summary: capture.summary,
            request: JSONBound.bounded(capture.request, limit: valuesLimit) { [capture.request.jsonBytes] },
            response: JSONBound.bounded(capture.response, limit: valuesLimit) { JSONBound.texts(capture) }
        )
    }

    /// The lens of this name; `nil` where there is none.
    package func lens(named name: String) -> (any Lens)? { lenses.first { $0.name == name } }

    /// The lens that recognised an exchange when the exchange ended; the lens that would recognise it now where none is recorded.
    package func lens(of capture: Capture) -> (any Lens)? {
        if let name = capture.summary.lens { return lens(named: name) }
        return recognized(ExchangeOutline(capture.exchange)) { side in
            Array((side == .request ? capture.request : capture.response).bytes.prefix(BodyStart.limitBytes))
        }
    }

    /// The first lens that recognises an exchange by its host, else by its heads, else by the decoded beginnings of its bodies.
    private func recognized(_ outline: ExchangeOutline, start: (MessageSide) -> [UInt8]) -> (any Lens)? {
        if let lens = first(outline, .host) ?? first(outline, .heads) { return lens }
        for side in [MessageSide.response, .request] where outline.mayBeJSON(side) {
            let body = BodyText(start(side))
            guard body.isObject || body.isArray else { continue }
            if let lens = first(outline, .body(side, body)) { return lens }
        }
        return first(outline, .remainder)
    }

    private func first(_ outline: ExchangeOutline, _ evidence: LensEvidence) -> (any Lens)? {
        let asked =
            switch evidence {
            case .host: byHost
            case .heads: byHeads
            case .body: byBody
            case .remainder: byRemainder
            }
        return asked.indices.first { asked[$0].recognizes(outline, by: evidence) }.map { asked[$0] }
    }
}

extension LensSet: ExchangeClassifier {
    package func classify(_ exchange: Exchange, bodyStart: (MessageSide) -> [UInt8]) -> ExchangeClass {
        let outline = ExchangeOutline(exchange)
        let lens = recognized(outline) { side in
            let codings = outline.codings(side)
            let coded = bodyStart(side)
            guard !codings.isEmpty else { return coded }
            let decoder = ContentDecoder(names: codings, limitBytes: BodyStart.limitBytes)
            guard !decoder.isIdentity else { return coded }
            var decoded: [UInt8] = []
            decoder.write(coded) { decoded.append(contentsOf: $0) }
            return decoded
        }
        return ExchangeClass(client: lens?.client(of: outline), lens: lens?.name)
    }
}
