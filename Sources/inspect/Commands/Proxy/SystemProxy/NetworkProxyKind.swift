/// A kind of proxy that a network service of macOS has, as `networksetup` names it.
enum NetworkProxyKind: String, Codable, Sendable, CaseIterable {
    case web = "webproxy"
    case secureWeb = "securewebproxy"
    case automatic = "autoproxyurl"

    /// The arguments that give a service a value: `on` or `off`, followed by `HOST PORT` or a URL where these are known.
    func arguments(for service: String, value: String) -> [[String]] {
        let words = value.split(separator: " ").map(String.init)
        let place = Array(words.dropFirst())
        var commands: [[String]] = []
        // Naming a server switches it on as well.
        if place.count == (self == .automatic ? 1 : 2) { commands.append(["-set\(rawValue)", service] + place) }
        let state = self == .automatic ? "-setautoproxystate" : "-set\(rawValue)state"
        if words.first != "on" { commands.append([state, service, "off"]) }
        return commands
    }

    /// The value in what `networksetup` prints of this proxy.
    func value(printed text: String) -> String {
        var fields: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[String(parts[0])] = parts[1].drop { $0 == " " }.description
        }
        let place =
            self == .automatic
            ? [fields["URL"]].compactMap { $0 }.filter { $0 != "(null)" && !$0.isEmpty }
            : [fields["Server"], fields["Port"]].compactMap { $0 }.filter { !$0.isEmpty }
        let isWhole = place.count == (self == .automatic ? 1 : 2)
        return ([fields["Enabled"] == "Yes" ? "on" : "off"] + (isWhole ? place : [])).joined(separator: " ")
    }
}
