import Hummingbird
import Lenses
import Store
import Traffic

/// What an exchange means: its lens's view of it, and what of the lens's rules it breaks.
struct DecodedRoutes {
    let store: StoreDoor
    let lenses: LensSet
    /// Decoded bytes that are read of each body.
    let decodedLimitBytes: Int

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/exchanges/{id}/decoded") { _, context in try await view(context) }
        router.get("/api/v1/exchanges/{id}/findings") { _, context in try await findings(context) }
    }

    private func view(_ context: WebContext) async throws -> Response {
        let bytes = try await read(context) { capture -> [UInt8] in
            var json = JSONWriter()
            // Null, and no refusal, where no lens reads it: that is an answer, and a browser would report a refusal as a fault.
            if let view = lenses.view(of: capture) { view.write(to: &json) } else { json.null(nil) }
            json.newline()
            return json.take()
        }
        return WebAnswer.json(bytes: bytes)
    }

    private func findings(_ context: WebContext) async throws -> Response {
        let findings = try await read(context) { lenses.findings($0) }
        return WebAnswer.json { json in
            json.array("findings") { json in for finding in findings { DecodedRoutes.write(finding, to: &json) } }
        }
    }

    /// Reads the exchange that the path names and looks at it, on a thread of the store's.
    private func read<Value: Sendable>(
        _ context: WebContext,
        _ look: @escaping @Sendable (Capture) throws -> Value
    ) async throws -> Value {
        let exchange = try await store.exchange(context)
        return try await store.read { store in
            let record = ExchangeRecord(exchange: exchange, summary: try store.summaries(of: [exchange.id]).first)
            return try look(try Capture(record, limitBytes: decodedLimitBytes, source: store.body))
        }
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
