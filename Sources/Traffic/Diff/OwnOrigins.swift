/// The origins of two servers as their answers name them (`http://127.0.0.1:8081`): the same API at another place links to that place.
struct OwnOrigins {
    private let left: [UInt8]
    private let right: [UInt8]

    /// - Returns: `nil` where both are the same, or one is not known.
    init?(_ left: Exchange, _ right: Exchange) {
        guard let one = OwnOrigins.name(left), let other = OwnOrigins.name(right), one != other else { return nil }
        (self.left, self.right) = (Array(one.utf8), Array(other.utf8))
    }

    /// A text of the right with the left's origin in place of the right's; `nil` where it does not name that.
    func asLeft(_ text: [UInt8]) -> [UInt8]? {
        var result: [UInt8]?
        // JSON may write each slash with a backslash (RFC 8259 §7).
        for (name, other) in [(right, left), (OwnOrigins.escaped(right), OwnOrigins.escaped(left))] {
            result = OwnOrigins.replaced(name, by: other, in: result ?? text) ?? result
        }
        return result
    }

    private static func replaced(_ name: [UInt8], by other: [UInt8], in text: [UInt8]) -> [UInt8]? {
        guard text.count >= name.count else { return nil }
        var result: [UInt8] = []
        var kept = 0
        var place = 0
        while place + name.count <= text.count {
            let end = place + name.count
            guard text[place] == name[0], text[place..<end].elementsEqual(name), end == text.count || ends(text[end])
            else {
                place += 1
                continue
            }
            result += text[kept..<place]
            result += other
            (place, kept) = (end, end)
        }
        return kept == 0 ? nil : result + text[kept...]
    }

    /// Whether an authority ends at a byte: `http://a.test` does not stand in `http://a.test.example`.
    private static func ends(_ byte: UInt8) -> Bool {
        !(ASCII.isToken(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "@"))
    }

    private static func escaped(_ name: [UInt8]) -> [UInt8] {
        name.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }
    }

    private static func name(_ exchange: Exchange) -> String? {
        guard let scheme = exchange.scheme, !exchange.host.isEmpty else { return nil }
        let endpoint = Endpoint(host: exchange.host, port: exchange.port)
        let host = exchange.request.fields.first("Host") ?? endpoint.authority(of: scheme)
        return "\(scheme.rawValue)://\(host)"
    }
}
