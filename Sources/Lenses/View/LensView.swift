/// An exchange as a lens reads it, for a terminal and a page to draw.
///
/// All text may come from the wire: whoever draws it escapes it.
package struct LensView: Sendable, Equatable {
    /// The lens's name, the value of the `lens` facet.
    package var lens: String
    /// What people call what the lens reads.
    package var title: String
    /// The request in words, one line: what was asked for.
    package var request: String
    /// The response in words, one line; `nil` when none came.
    package var response: String?
    /// Why the answer is a failure although its status says success, one sentence; `nil` when it is none.
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

    /// Cuts each line to what a line has room for.
    mutating func cutLines() {
        (request, response, failure) = (request.cutToLine, response?.cutToLine, failure?.cutToLine)
    }
}
