/// Where a request goes in place of where it was sent.
package struct RuleSend: Hashable, Sendable {
    /// Another origin, with a path that is put before the target's.
    package var to: ReplayTarget?
    /// Whether the Host field stays though the request goes elsewhere.
    package var keepsHost = false
    /// Addresses in place of those that the host's name has; Host, server name and certificate check stay.
    package var addresses: [String] = []
    /// The proxy that the upstream is reached through, as it was written: `http://host:port`, `socks5://host:port`.
    package var upstreamProxy: String?
    /// Whether the conditions are left out by which the upstream may answer 304.
    package var isFresh = false

    package init() {}

    package var isEmpty: Bool { self == RuleSend() }

    /// Edits the fields of a head as the new place needs them; the path before the target's is put there once all rules have spoken.
    ///
    /// - Returns: what changed besides where the request goes.
    /// - Throws: `RuleFault` when there is no path to put another before.
    func apply(to lines: inout HeadLines) throws(RuleFault) -> [EditChange] {
        if let to {
            if !to.prefix.isEmpty, try RequestLine(of: lines).target.first != "/" {
                throw RuleFault("the request's target has no path to put \(to.prefix) before")
            }
            if !keepsHost, !lines.places(of: "host").isEmpty { lines.set("Host", to.authority) }
        }
        var changes: [EditChange] = []
        for name in isFresh ? ["If-None-Match", "If-Modified-Since"] : [] {
            let places = lines.places(of: name)
            for place in places { changes.append(EditChange(name, from: lines.value(place), to: nil)) }
            lines.remove(places)
        }
        return changes
    }
}
