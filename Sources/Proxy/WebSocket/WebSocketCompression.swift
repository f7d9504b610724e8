import Traffic

/// The compression that the two ends of a WebSocket agreed on, from the extensions in the upstream's 101 (RFC 6455 §9.1).
struct WebSocketCompression: Equatable {
    /// Whether messages may be compressed by permessage-deflate (RFC 7692).
    private(set) var isAgreed = false
    /// An extension that is unknown here and may have changed what frames mean; `nil` for none.
    private(set) var unknown: String?
    private var clientKeepsContext = true
    private var upstreamKeepsContext = true

    /// No extension.
    init() {}

    /// Reads the extensions of a 101.
    init(extensions fields: HeaderList) {
        let lines = fields.indices.filter { fields.isNamed("sec-websocket-extensions", at: $0) }
        for offer in lines.flatMap(fields.members) {
            var parts = offer.filter { $0 != " " && $0 != "\t" }.utf8.split(separator: UInt8(ascii: ";"))
                .map { String(Substring($0)) }[...]
            guard let name = parts.popFirst(), !name.isEmpty else { continue }
            guard name == "permessage-deflate", !isAgreed else {
                unknown = unknown ?? Self.named(name)
                continue
            }
            isAgreed = true
            // The window's size does not matter: the decoder has the greatest one.
            if parts.contains("client_no_context_takeover") { clientKeepsContext = false }
            if parts.contains("server_no_context_takeover") { upstreamKeepsContext = false }
        }
    }

    /// Whether a side's message may refer to its earlier ones.
    func keepsContext(_ side: MessageSide) -> Bool {
        side == .request ? clientKeepsContext : upstreamKeepsContext
    }

    /// An extension's name in a form that is safe in a sentence.
    private static func named(_ name: String) -> String {
        let plain = name.utf8.allSatisfy(ASCII.isToken) && name.utf8.count <= 64
        return plain ? name : "that the upstream named"
    }
}
