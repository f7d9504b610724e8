/// What a lens says of an exchange, for a terminal and a page to draw.
///
/// Any text may come from the wire, so the code that draws a text escapes it.
package struct LensView: Sendable, Equatable {
    /// The lens's name, the value of the `lens` facet.
    package var lens: String
    /// The lens's title, the name that people see.
    package var title: String
    /// The request in words, one line: what was asked for.
    package var request: String
    /// The response in words, one line; `nil` when none came.
    package var response: String?
    /// Why the answer is a failure although its status says success, one sentence; `nil` when it is no failure.
    package var failure: String?
    /// The parts, in the order they are read.
    package var sections: [LensSection]

    package init(
        of lens: some Lens,
        request: String,
        response: String? = nil,
        failure: String? = nil,
        sections: [LensSection] = []
    ) {
        self.lens = lens.name
        title = lens.title
        self.request = request
        self.response = response
        self.failure = failure
        self.sections = sections
    }

    /// Cuts the request, the response and the failure to the length of a line.
    mutating func cutLines() {
        (request, response, failure) = (request.cutToLine, response?.cutToLine, failure?.cutToLine)
    }
}
