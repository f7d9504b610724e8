/// Where a rule sends a request.
package struct RuleSend: Hashable, Sendable {
    /// Another origin, with a path that is put before the target's.
    package var to: ReplayTarget?
    /// Whether the Host field stays though the request goes elsewhere.
    package var keepsHost = false
    /// Addresses to use instead of those of the host's name; Host, server name and certificate check stay.
    package var addresses: [String] = []
    /// The proxy to reach the upstream through, as it was written: `http://host:port`, `socks5://host:port`.
    package var upstreamProxy: String?
    /// Whether the conditional fields are removed, so that the upstream cannot answer 304.
    package var isFresh = false

    package init() {}

    package var isEmpty: Bool { self == RuleSend() }

    /// Edits the fields of a head for the new place; the path before the target's is added after all rules were applied.
    ///
    /// - Returns: the changes, besides where the request goes.
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
