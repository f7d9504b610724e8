package import Traffic

extension LensSet {
    /// The view of an exchange by its lens; `nil` where no lens reads the exchange.
    ///
    /// Where a body was kept or read only in part, the view says so and calls nothing a failure: we cut the body, not the server.
    package func view(of capture: Capture) -> LensView? {
        guard let lens = lens(of: capture) else { return nil }
        let capture = bounded(capture)
        var view = lens.view(capture)
        view.cutLines()
        guard capture.isCut else { return view }
        view.failure = nil
        if capture.response.isCut { view.response = "not read whole" }
        let notes = [("request", capture.request), ("response", capture.response)].compactMap { side, body in
            body.isCut ? "Of the \(side)'s body. \(body.problem ?? "Only its beginning is read.")" : nil
        }
        view.sections.insert(LensSection("Not whole", .text(notes.joined(separator: "\n"))), at: 0)
        return view
    }

    /// Finds what in an exchange breaks its lens's rules; nothing where part of a body is missing, since a rule may ask for just that part.
    package func findings(_ capture: Capture) -> [CheckFinding] {
        guard let lens = lens(of: capture) else { return [] }
        let capture = bounded(capture)
        return capture.isCut ? [] : lens.findings(capture)
    }

    /// Says what changed between two captures of an endpoint, the older capture first.
    ///
    /// Says nothing where different lenses read the captures, or where part of an answer is missing: the server may have sent that part.
    package func changes(from before: Capture, to after: Capture) -> [String] {
        // The same lens reads an API and a local stand-in for it.
        guard let lens = lens(of: before), self.lens(of: after)?.name == lens.name else { return [] }
        let (before, after) = (bounded(before), bounded(after))
        return before.response.isCut || after.response.isCut ? [] : lens.changes(from: before, to: after)
    }
}

extension Capture {
    /// Whether a body of the exchange was kept or read only in part.
    package var isCut: Bool { request.isCut || response.isCut }
}

extension LensSet: FailureJudge {
    package func failsInside(_ capture: Capture) -> Bool? {
        guard let lens = lens(of: capture) else { return false }
        let capture = bounded(capture)
        return capture.isCut ? nil : lens.view(capture).failure != nil
    }
}
