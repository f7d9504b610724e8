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
        var text = String(authority)
        guard let read = text.withUTF8({ Endpoint(bytes: UnsafeRawBufferPointer($0), defaultPort: defaultPort) }) else {
            return nil
        }
        self = read
    }

    /// Reads the same from the bytes of a head, without making a text of them: the proxy does so twice for each request.
    package init?(bytes text: UnsafeRawBufferPointer, defaultPort: Int?) {
        guard let first = text.first else { return nil }
        var hostEnd = 0
        let name: Range<Int>
        if first == UInt8(ascii: "[") {
            var hasColon = false
            hostEnd = 1
            while hostEnd < text.count, Endpoint.isAddressByte(text[hostEnd]) {
                hasColon = hasColon || text[hostEnd] == UInt8(ascii: ":")
                hostEnd += 1
            }
            guard hostEnd < text.count, text[hostEnd] == UInt8(ascii: "]"), hasColon else { return nil }
            name = 1..<hostEnd
            hostEnd += 1
        } else {
            while hostEnd < text.count, Endpoint.isRegName(text[hostEnd]) { hostEnd += 1 }
            guard hostEnd > 0 else { return nil }
            name = 0..<hostEnd
        }
        let host = String(unsafeUninitializedCapacity: name.count) { room in
            for (place, index) in name.enumerated() { room.initializeElement(at: place, to: ASCII.lower(text[index])) }
            return name.count
        }
        guard hostEnd < text.count else {
            guard let defaultPort else { return nil }
            self.init(host: host, port: defaultPort)
            return
        }
        guard text[hostEnd] == UInt8(ascii: ":") else { return nil }
        let digits = hostEnd + 1..<text.count
        if digits.isEmpty, let defaultPort {
            self.init(host: host, port: defaultPort)
            return
        }
        var port = 0
        guard !digits.isEmpty, digits.count <= 5 else { return nil }
        for index in digits {
            guard text[index] >= UInt8(ascii: "0"), text[index] <= UInt8(ascii: "9") else { return nil }
            port = port * 10 + Int(text[index] - UInt8(ascii: "0"))
        }
        guard (1...65535).contains(port) else { return nil }
        self.init(host: host, port: port)
    }

    /// Whether a byte may stand in an address between brackets.
    private static func isAddressByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// `host:port`, with brackets round an IPv6 address.
    package var description: String { "\(Endpoint.bracketed(host)):\(port)" }

    /// Host and port as a URL of a scheme has them: without the port where it is the scheme's own.
    package func authority(of scheme: Scheme?) -> String {
        port == scheme?.defaultPort ? Endpoint.bracketed(host) : description
    }

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
