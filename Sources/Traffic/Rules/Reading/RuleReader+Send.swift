import NIOCore

/// Reads where a request goes.
extension RuleReader {
    /// Addresses of a destination.
    private static let addressLimit = 100

    /// Reads `send:`.
    mutating func send(_ tree: RuleTree) -> RuleSend? {
        var send = RuleSend()
        let before = problems.count
        for (name, value) in members(tree, expected: "where it goes, as in {to: \"https://staging.test\"}") {
            switch name.text {
            case "to": send.to = origin(value)
            case "keep-host": send.keepsHost = flag(value) ?? false
            case "resolve": send.addresses = addresses(value)
            case "upstream-proxy": send.upstreamProxy = upstreamProxy(value)
            case "fresh": send.isFresh = flag(value) ?? false
            default:
                let words = ["to", "keep-host", "resolve", "upstream-proxy", "fresh"]
                unknown(name, "says nothing of where a request goes", among: words)
            }
        }
        guard problems.count == before else { return nil }
        guard send.to != nil || !send.keepsHost else {
            note(tree, "'keep-host' goes with 'to'")
            return nil
        }
        guard !send.isEmpty else {
            note(tree, "nothing is said of where the request goes")
            return nil
        }
        return send
    }

    private mutating func origin(_ tree: RuleTree) -> ReplayTarget? {
        guard var text = text(tree, "an origin such as https://staging.test") else { return nil }
        // A WebSocket begins with an HTTP request, and goes where that goes.
        if text.hasPrefix("ws://") || text.hasPrefix("wss://") { text = "http" + text.dropFirst(2) }
        do throws(ReplayError) {
            return try ReplayTarget(text)
        } catch {
            note(tree, "\(error)")
            return nil
        }
    }

    private mutating func addresses(_ tree: RuleTree) -> [String] {
        let addresses = texts(tree, "an address")
        guard addresses.count <= RuleReader.addressLimit else {
            note(tree, "these are \(addresses.count) addresses; at most \(RuleReader.addressLimit) are tried")
            return []
        }
        return addresses.compactMap { text in
            guard (try? SocketAddress(ipAddress: text, port: 1)) != nil else {
                note(tree, "\(RuleProblem.quoted(text)) is no address such as 10.0.0.7 or 2001:db8::7")
                return nil
            }
            return ASCII.lower(text)
        }
    }

    private mutating func upstreamProxy(_ tree: RuleTree) -> String? {
        guard let text = text(tree, "a proxy such as http://127.0.0.1:3128") else { return nil }
        guard !text.utf8.contains(UInt8(ascii: "@")) else {
            // A login is nobody's to see, and problems are shown to everybody.
            note(tree, "a proxy that a rule names takes no login; the upstream proxy of all requests does")
            return nil
        }
        let rest = ["http://", "socks5://"].first { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
        guard let rest, Endpoint(authority: rest.hasSuffix("/") ? rest.dropLast() : rest, defaultPort: nil) != nil
        else {
            note(tree, "\(RuleProblem.quoted(text)) is no proxy; expected http://HOST:PORT or socks5://HOST:PORT")
            return nil
        }
        return text
    }
}
