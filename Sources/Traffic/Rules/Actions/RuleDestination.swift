/// Where a request goes after all rules were applied.
package struct RuleDestination: Hashable, Sendable {
    /// The value before, where no rule had set one.
    private static let own = "as sent"

    /// Another origin; `nil` for the request's own.
    package private(set) var origin: ReplayTarget?
    /// Whether the Host field stays as it is though the request goes to another origin.
    package private(set) var keepsHost = false
    /// Addresses to use instead of looking up the host's name; empty where it is looked up.
    package private(set) var addresses: [String] = []
    /// The proxy to go through; `nil` for the one that is configured, if any.
    package private(set) var upstreamProxy: String?

    /// Whether no rule changed where the request goes.
    package var isEmpty: Bool { self == RuleDestination() }

    /// Takes the settings of one more rule; they replace those of earlier rules.
    ///
    /// - Returns: what it changed.
    mutating func take(_ send: RuleSend) -> [EditChange] {
        var changes: [EditChange] = []
        if send.to != nil { keepsHost = send.keepsHost }
        if let to = send.to, to != origin {
            changes.append(
                EditChange(
                    "host",
                    from: origin?.endpoint.description ?? RuleDestination.own,
                    to: to.endpoint.description
                )
            )
            origin = to
            // Addresses of the former host do not fit the new one.
            addresses = []
        }
        if !send.addresses.isEmpty, send.addresses != addresses {
            let joined = addresses.isEmpty ? RuleDestination.own : addresses.joined(separator: ", ")
            changes.append(EditChange("address", from: joined, to: send.addresses.joined(separator: ", ")))
            addresses = send.addresses
        }
        if let proxy = send.upstreamProxy, proxy != upstreamProxy {
            changes.append(EditChange("upstream proxy", from: upstreamProxy ?? RuleDestination.own, to: proxy))
            upstreamProxy = proxy
        }
        return changes
    }

    /// Puts the path of the new origin before the target's.
    func apply(to lines: inout HeadLines) throws(RuleFault) {
        guard let prefix = origin?.prefix, !prefix.isEmpty else { return }
        var line = try RequestLine(of: lines)
        line.target = prefix + line.target
        try line.write(to: &lines)
    }
}
