import Hummingbird
import Lenses
import Store
import Traffic

/// The meaning of an exchange: the view that its lens gives, and the rules of the lens that the exchange breaks.
struct DecodedRoutes {
    let store: StoreDoor
    let lenses: LensSet
    /// Decoded bytes that are read of each body.
    let decodedLimitBytes: Int

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/exchanges/{id}/decoded") { request, context in try await view(request, context) }
        router.get("/api/v1/exchanges/{id}/findings") { request, context in try await findings(request, context) }
    }

    private func view(_ request: Request, _ context: WebContext) async throws -> Response {
        try await answer(request, context) { capture -> [UInt8] in
            var json = JSONWriter()
            // Null, and no refusal, where no lens reads it: that is an answer, and a browser would report a refusal as a fault.
            if let view = lenses.view(of: capture) { view.write(to: &json) } else { json.null(nil) }
            json.newline()
            return json.take()
        } as: {
            WebAnswer.json(bytes: $0)
        }
    }

    private func findings(_ request: Request, _ context: WebContext) async throws -> Response {
        try await answer(request, context) {
            lenses.findings($0)
        } as: { findings in
            WebAnswer.json { json in
                json.array("findings") { json in for finding in findings { DecodedRoutes.write(finding, to: &json) } }
            }
        }
    }

    /// Answers with what a reading of the path's exchange returns; the reading runs on a thread of the store's.
    private func answer<Value: Sendable>(
        _ request: Request,
        _ context: WebContext,
        _ look: @escaping @Sendable (Capture) throws -> Value,
        as make: (Value) -> Response
    ) async throws -> Response {
        let exchange = try await store.exchange(context)
        return try await store.answer(
            to: Asker(request, context),
            reading: { store in
                let record = ExchangeRecord(exchange: exchange, summary: try store.summaries(of: [exchange.id]).first)
                let capture = try Capture(record, limitBytes: decodedLimitBytes, source: store.body)
                // Reading the bodies may take long, and so may a lens.
                try Task.checkCancellation()
                return try look(capture)
            },
            as: make
        )
    }

    private static func write(_ finding: CheckFinding, to json: inout JSONWriter) {
        json.object { json in
            json.string("rule", finding.rule)
            json.string("side", finding.side.rawValue)
            json.string("pointer", finding.pointer)
            json.string("message", finding.message)
            json.string("consequence", finding.consequence)
            json.string("severity", finding.severity.rawValue)
        }
    }
}
