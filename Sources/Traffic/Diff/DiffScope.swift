/// The parts of two exchanges that are compared.
package struct DiffScope: Hashable, Sendable {
    /// Whether the requests are compared, and not the responses alone.
    package var comparesRequests = true
    /// Whether scheme, host, port and the Host field count.
    package var comparesOrigins = true
    /// Whether the rest of two responses is left out where one failed and the other did not, because it follows from that.
    package var stopsAtStatus = false

    /// For two exchanges that somebody chose.
    package static let pair = DiffScope()
    /// For two exchanges that stand in the same place of two sets.
    package static let sets = DiffScope(comparesOrigins: false, stopsAtStatus: true)
    /// For an exchange and its replay.
    package static let replay = DiffScope(comparesRequests: false, comparesOrigins: false, stopsAtStatus: true)

    package init(comparesRequests: Bool = true, comparesOrigins: Bool = true, stopsAtStatus: Bool = false) {
        self.comparesRequests = comparesRequests
        self.comparesOrigins = comparesOrigins
        self.stopsAtStatus = stopsAtStatus
    }
}
