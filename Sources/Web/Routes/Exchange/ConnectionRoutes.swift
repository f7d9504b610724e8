import Hummingbird
import Traffic

/// The facts in the certificates that an exchange's upstream showed, leaf first; the certificates themselves are in the exchange.
struct ConnectionRoutes {
    let store: StoreDoor
    let read: @Sendable ([UInt8]) -> CertificateFacts?

    /// Adds the API's address.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/exchanges/{id}/certificates") { _, context in
            let certificates = try await store.exchange(context).upstream?.tls?.certificates ?? []
            return WebAnswer.json { json in
                json.array("certificates") { json in
                    for der in certificates { json.object { write(read(der), to: &$0) } }
                }
            }
        }
    }

    /// Writes the facts; nothing for a certificate that cannot be read.
    private func write(_ facts: CertificateFacts?, to json: inout JSONWriter) {
        guard let facts else { return }
        json.string("subject", facts.subject)
        json.string("issuer", facts.issuer)
        json.array("names") { json in for name in facts.names { json.string(nil, name) } }
        json.string("notBefore", Timestamp.text(microseconds: facts.notBefore))
        json.string("notAfter", Timestamp.text(microseconds: facts.notAfter))
        json.string("serial", facts.serial)
        json.string("sha256", facts.sha256)
        json.string("key", facts.key)
        json.string("signature", facts.signature)
    }
}
