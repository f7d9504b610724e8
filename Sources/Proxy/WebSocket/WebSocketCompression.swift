import Traffic

/// What the two ends of a WebSocket agreed on about compression: the extensions that the upstream's 101 names (RFC 6455 §9.1).
struct WebSocketCompression: Equatable {
    /// Whether messages may be compressed by permessage-deflate (RFC 7692).
    private(set) var isAgreed = false
    /// An extension that is not known here and may have changed what frames mean.
    private(set) var unknown: String?
    private var clientKeepsContext = true
    private var upstreamKeepsContext = true

    /// Without any extension.
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
            // The window's size needs no reading: the decoder has the greatest one.
            if parts.contains("client_no_context_takeover") { clientKeepsContext = false }
            if parts.contains("server_no_context_takeover") { upstreamKeepsContext = false }
        }
    }

    /// Whether a side's message may refer to the ones it sent before.
    func keepsContext(_ side: MessageSide) -> Bool {
        side == .request ? clientKeepsContext : upstreamKeepsContext
    }

    /// A name as a sentence may hold it.
    private static func named(_ name: String) -> String {
        let plain = name.utf8.allSatisfy(ASCII.isToken) && name.utf8.count <= 64
        return plain ? name : "that the upstream named"
    }
}
