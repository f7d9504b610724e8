/// Where recorded exchanges are read one by one, the newest first.
package protocol CaptureWalk {
    /// Visits the exchanges that are selected now, each once.
    ///
    /// - Parameters:
    ///   - selection: which exchanges; none is visited where none is there.
    ///   - give: looks at one; `false` ends the walk.
    /// - Throws: what reading and `give` throw, and `CancellationError` once nobody waits for the walk.
    func walk(_ selection: CaptureSelection, _ give: (CaptureVisit) throws -> Bool) throws
}

/// Which exchanges a walk visits.
package enum CaptureSelection: Sendable {
    /// Those that a filter selects.
    case matching(Filter)
    /// The exchange of this number.
    case one(ExchangeID)
}

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
