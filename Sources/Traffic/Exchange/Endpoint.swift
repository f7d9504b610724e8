/// A host and a port: what a client asks to be connected to.
package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// A name or address in lower case, IPv6 without brackets.
    package let host: String
    /// 1 to 65535.
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `host`, `host:port`, `[v6]` or `[v6]:port`; `nil` when it is none of these (RFC 3986 §3.2.2, no userinfo, no empty host).
    ///
    /// - Parameters:
    ///   - authority: the text to read.
    ///   - defaultPort: the port where the text names none; `nil` makes the port mandatory (CONNECT, RFC 9110 §9.3.6).
    package init?(authority: some StringProtocol, defaultPort: Int?) {
        let text = authority.utf8
        guard let first = text.first else { return nil }
        let hostEnd: String.Index
        let hostText: String
        if first == UInt8(ascii: "[") {
            guard let close = text.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let inside = authority[text.index(after: text.startIndex)..<close]
            let isAddress = inside.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                    UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
            guard isAddress, inside.utf8.contains(UInt8(ascii: ":")) else { return nil }
            hostText = inside.lowercased()
            hostEnd = text.index(after: close)
        } else {
            hostEnd = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
            let name = authority[text.startIndex..<hostEnd]
            guard !name.isEmpty, name.utf8.allSatisfy(Endpoint.isRegName) else { return nil }
            hostText = name.lowercased()
        }
        guard hostEnd < text.endIndex else {
            guard let defaultPort else { return nil }
            self.init(host: hostText, port: defaultPort)
            return
        }
        guard text[hostEnd] == UInt8(ascii: ":") else { return nil }
        let digits = text[text.index(after: hostEnd)...]
        if digits.isEmpty, let defaultPort {
            self.init(host: hostText, port: defaultPort)
            return
        }
        var port = 0
        guard !digits.isEmpty, digits.count <= 5 else { return nil }
        for byte in digits {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            port = port * 10 + Int(byte - UInt8(ascii: "0"))
        }
        guard (1...65535).contains(port) else { return nil }
        self.init(host: hostText, port: port)
    }

    /// `host:port`, with brackets round an IPv6 address.
    package var description: String { "\(Endpoint.bracketed(host)):\(port)" }

    /// The host as it stands in a URL: brackets round an IPv6 address.
    package static func bracketed(_ host: String) -> String {
        host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    }

    /// Whether a byte may stand in a name: unreserved, sub-delims or percent (RFC 3986 §3.2.2).
    private static func isRegName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: "%"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
