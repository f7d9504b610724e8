/// An exchange that a walk visits: its line of a listing, and its bodies once they are asked for.
package struct CaptureVisit {
    package let summary: ExchangeSummary
    private let read: () throws -> Capture?

    /// - Parameters:
    ///   - summary: the exchange's line.
    ///   - read: reads the exchange with its bodies; `nil` where it is gone by then.
    package init(_ summary: ExchangeSummary, read: @escaping () throws -> Capture?) {
        (self.summary, self.read) = (summary, read)
    }

    /// The exchange with its bodies; `nil` where it was deleted since the walk came to it.
    package func capture() throws -> Capture? { try read() }
}
