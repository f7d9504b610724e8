import ArgumentParser
import Proxy
import Traffic

extension ListenMode {
    /// Reads `MODE@[ADDRESS:]PORT`.
    ///
    /// - Parameters:
    ///   - option: as the user wrote it; a password in it is not repeated in errors.
    ///   - defaultHost: the address where the option names none.
    /// - Throws: `ValidationError` naming the text that cannot be read and what was expected.
    init(option: String, defaultHost: String) throws {
        guard let at = option.lastIndex(of: "@") else {
            throw ValidationError(
                "--listen-mode \(ListenMode.shown(option)): expected MODE@PORT or MODE@ADDRESS:PORT, as in socks5@1080"
            )
        }
        let (mode, place) = (option[..<at], option[option.index(after: at)...])
        guard let (host, port) = ListenMode.place(place) else {
            throw ValidationError(
                "--listen-mode \(ListenMode.shown(mode))@\(place): expected a PORT (0 to 65535) or ADDRESS:PORT after the @, IPv6 in brackets"
            )
        }
        self.init(try ListenMode.way(mode), host: host ?? defaultHost, port: port)
    }

    /// Whether two ways in exclude each other: they have the same port, and the same address or one of them has all addresses.
    func excludes(_ other: ListenMode) -> Bool {
        guard port != 0, port == other.port else { return false }
        return host == other.host || takes(other.host) || other.takes(host)
    }

    /// Whether the address of the mode includes another, as `::` includes those of IPv4.
    private func takes(_ other: String) -> Bool {
        switch host {
        case "::": true
        case "0.0.0.0": !other.contains(":") || other.hasPrefix("::ffff:")
        // A name may be for either of them.
        case "localhost": ["127.0.0.1", "::1"].contains(other)
        default: false
        }
    }

    private static func way(_ mode: Substring) throws -> Way {
        switch mode {
        case "explicit": return .explicit
        case "transparent": return .transparent
        case "socks5": return .socks5(nil)
        case _ where mode.hasPrefix("socks5:"):
            guard let credentials = Credentials(mode.dropFirst("socks5:".count)) else {
                throw ValidationError("--listen-mode socks5: expected socks5:USER:PASSWORD, each of at most 255 bytes")
            }
            return .socks5(credentials)
        case _ where mode.hasPrefix("reverse:"): return try reverse(mode.dropFirst("reverse:".count))
        default:
            throw ValidationError(
                "--listen-mode \(mode): expected explicit, socks5, socks5:USER:PASSWORD, reverse:http://HOST[:PORT], reverse:https://HOST[:PORT] or transparent"
            )
        }
    }

    private static func reverse(_ url: Substring) throws -> Way {
        for scheme in [Scheme.http, .https] {
            let start = scheme.rawValue + "://"
            guard url.lowercased().hasPrefix(start) else { continue }
            var authority = url.dropFirst(start.count)
            if authority.hasSuffix("/") { authority.removeLast() }
            guard let endpoint = Endpoint(authority: authority, defaultPort: scheme.defaultPort) else { break }
            return .reverse(scheme, endpoint)
        }
        throw ValidationError(
            "--listen-mode reverse:\(url): expected http://HOST[:PORT] or https://HOST[:PORT], without a path or a user"
        )
    }

    /// Reads `PORT` or `ADDRESS:PORT`.
    private static func place(_ text: Substring) -> (host: String?, port: Int)? {
        let colon = text.lastIndex(of: ":")
        let digits = colon.map { text[text.index(after: $0)...] } ?? text
        guard !digits.isEmpty, digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits), port <= 65_535
        else { return nil }
        guard let colon else { return (nil, port) }
        // Port 0 is the system's choice, which no endpoint has.
        guard let endpoint = Endpoint(authority: text[..<colon], defaultPort: 1) else { return nil }
        return (endpoint.host, port)
    }

    /// The text of a mode without what may be a password.
    private static func shown(_ text: some StringProtocol) -> String {
        text.hasPrefix("socks5:") ? "socks5:…" : String(text)
    }
}
