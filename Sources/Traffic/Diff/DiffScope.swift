/// What of two exchanges is compared.
package struct DiffScope: Hashable, Sendable {
    /// Whether the requests are compared, and not the responses alone.
    package var comparesRequests = true
    /// Whether scheme, host, port and the Host field count.
    package var comparesOrigins = true
    /// Whether the rest of two responses is passed over where one failed and the other did not: it follows from that.
    package var stopsAtStatus = false

    /// Two exchanges that somebody chose.
    package static let pair = DiffScope()
    /// Two that stand in the same place of two sets.
    package static let sets = DiffScope(comparesOrigins: false, stopsAtStatus: true)
    /// One and what was sent again after it.
    package static let replay = DiffScope(comparesRequests: false, comparesOrigins: false, stopsAtStatus: true)

    package init(comparesRequests: Bool = true, comparesOrigins: Bool = true, stopsAtStatus: Bool = false) {
        self.comparesRequests = comparesRequests
        self.comparesOrigins = comparesOrigins
        self.stopsAtStatus = stopsAtStatus
    }
}
