import Traffic

extension LensSet {
    /// An exchange as its lens reads it; `nil` where none does.
    ///
    /// Where a body was kept or read only in part, the view says so and calls nothing a failure: the end of what is there is our doing.
    package func view(of capture: Capture) -> LensView? {
        guard let lens = lens(of: capture) else { return nil }
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
        capture.isCut ? [] : lens(of: capture)?.findings(capture) ?? []
    }
}

extension Capture {
    /// Whether one of its bodies was kept or read only in part.
    package var isCut: Bool { request.isCut || response.isCut }
}
