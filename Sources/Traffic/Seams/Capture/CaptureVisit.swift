/// An exchange on a walk: its line is there, its bodies are read where somebody asks for them.
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
