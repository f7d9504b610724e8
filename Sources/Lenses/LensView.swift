import Traffic

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

extension String {
    /// Characters of a line.
    private static let lineLimit = 2_000

    /// It, cut to what a line has room for: a parameter, a word or a title may be as long as a body.
    var cutToLine: String {
        utf8.count > String.lineLimit ? String(unicodeScalars.prefix(String.lineLimit)) + "…" : self
    }
}

/// A part of a view under a heading of its own.
package struct LensSection: Sendable, Equatable {
    /// What it holds.
    package enum Content: Sendable, Equatable {
        /// Names with values.
        case fields([LensField])
        case table(LensTable)
        /// What contains what.
        case tree([LensNode])
        /// Lines of text.
        case text(String)
    }

    package var title: String
    package var content: Content

    package init(_ title: String, _ content: Content) {
        self.title = title
        self.content = content
    }
}

/// A text with what it means for the reader.
package struct LensText: Sendable, Equatable, ExpressibleByStringLiteral {
    /// How it is drawn.
    package enum Tone: String, Sendable, CaseIterable {
        case plain, good, bad, warning, faint
    }

    package var text: String
    package var tone: Tone

    package init(_ text: String, _ tone: Tone = .plain) {
        self.text = text
        self.tone = tone
    }

    package init(stringLiteral value: String) { self.init(value) }
}

/// A name with its value.
package struct LensField: Sendable, Equatable {
    package var name: String
    package var value: LensText

    package init(_ name: String, _ value: LensText) {
        self.name = name
        self.value = value
    }

    package init(_ name: String, _ value: String) { self.init(name, LensText(value)) }
}

/// Rows under named columns.
package struct LensTable: Sendable, Equatable {
    /// A view holds no more rows of a table than this; `total` says how many there are.
    package static let rowLimit = 500

    package var columns: [String]
    /// As many texts each as there are columns.
    package var rows: [[LensText]]
    /// Rows that there are, those left out counted.
    package var total: Int

    /// A table of at most `rowLimit` of some rows.
    package init(columns: [String], rows: some Collection<[LensText]>) {
        self.columns = columns
        self.rows = Array(rows.prefix(LensTable.rowLimit))
        total = rows.count
    }
}

/// A line of a tree with the lines under it.
package struct LensNode: Sendable, Equatable {
    package var label: LensText
    /// What stands beside it, if anything.
    package var detail: LensText?
    package var children: [LensNode]

    package init(_ label: LensText, detail: LensText? = nil, children: [LensNode] = []) {
        self.label = label
        self.detail = detail
        self.children = children
    }
}
