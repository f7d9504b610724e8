import Traffic

extension LensSet {
    /// An exchange as its lens reads it; `nil` where none does.
    ///
    /// Where a body was kept or read only in part, the view says so and calls nothing a failure: the end of what is there is our doing.
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

    /// What of its lens's rules an exchange breaks; nothing where not all of a body is at hand, since what is missing may be what a rule asks for.
    package func findings(_ capture: Capture) -> [CheckFinding] {
        guard let lens = lens(of: capture) else { return [] }
        let capture = bounded(capture)
        return capture.isCut ? [] : lens.findings(capture)
    }

    /// What became different between two captures of an endpoint, the older one first.
    ///
    /// Nothing where they are read by two lenses, or where not all of an answer is at hand: what is missing there is not gone.
    package func changes(from before: Capture, to after: Capture) -> [String] {
        // A local stand-in is read by the lens of what it stands in for.
        guard let lens = lens(of: before), self.lens(of: after)?.name == lens.name else { return [] }
        let (before, after) = (bounded(before), bounded(after))
        return before.response.isCut || after.response.isCut ? [] : lens.changes(from: before, to: after)
    }
}

extension Capture {
    /// Whether one of its bodies was kept or read only in part.
    package var isCut: Bool { request.isCut || response.isCut }
}
