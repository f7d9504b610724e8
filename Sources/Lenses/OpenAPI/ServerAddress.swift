import Foundation
import Traffic

/// A server of a document: an origin, where it names one, and the beginning of every path.
struct ServerAddress: Sendable {
    /// The host, perhaps with open parts; `nil` where the server names none, and any host may be meant.
    let host: PathTemplate?
    /// The port; `nil` where the server names none.
    let port: Int?
    /// The path before the document's paths, without a slash at its end.
    let base: PathTemplate?

    /// Reads the `url` of a server, `https://{region}.api.test:8443/v2` or `/v2`.
    init?(_ url: String) {
        var rest = url[...]
        var scheme: Scheme?
        if let mark = rest.range(of: "://") {
            scheme = Scheme(rawValue: rest[..<mark.lowerBound].lowercased())
            rest = rest[mark.upperBound...]
            let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            rest = rest[authority.endIndex...]
            let colon = authority.hasSuffix("]") ? nil : authority.lastIndex(of: ":")
            let digits = colon.map { authority[authority.index(after: $0)...] }
            // A port may be open too: `{port}`.
            port = digits.flatMap { Int($0) } ?? (digits == nil ? scheme?.defaultPort : nil)
            let name = (colon.map { authority[..<$0] } ?? authority).lowercased()
            guard let host = PathTemplate(name.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))) else {
                return nil
            }
            self.host = host
        } else {
            (host, port) = (nil, nil)
        }
        var path = String(rest.prefix { $0 != "?" && $0 != "#" })
        while path.hasSuffix("/") { path.removeLast() }
        if path.isEmpty {
            base = nil
        } else {
            guard let template = PathTemplate(path) else { return nil }
            base = template
        }
    }

    /// Whether an exchange was with this server, as far as the server names its host and port.
    func isHost(of exchange: Exchange) -> Bool {
        guard let host else { return true }
        return (port == nil || port == exchange.port) && host.values(in: [exchange.host[...]]) != nil
    }

    /// Whether a host is this machine or an address, as that of a stand-in is.
    static func isLocal(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host.contains(":")
            || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }

    /// The segments after the server's own; `nil` where the path does not begin with those.
    func rest(of parts: [Substring]) -> ArraySlice<Substring>? {
        guard let base else { return parts[...] }
        guard parts.count >= base.segments.count, base.values(in: parts.prefix(base.segments.count)) != nil else {
            return nil
        }
        return parts.dropFirst(base.segments.count)
    }
}
