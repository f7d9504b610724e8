/// A part of a view under a heading of its own.
package struct LensSection: Sendable, Equatable {
    /// What the part holds.
    package enum Content: Sendable, Equatable {
        /// Names with values.
        case fields([LensField])
        case table(LensTable)
        /// Lines with the lines under each.
        case tree([LensNode])
        /// Lines of text.
        case text(String)
        /// An advice, drawn as text.
        case advice(LensAdvice)
    }

    package var title: String
    package var content: Content
    /// Whether it shows JSON of a body as the body has it, so that it says nothing new beside the body.
    package var isInBody: Bool

    package init(_ title: String, _ content: Content, isInBody: Bool = false) {
        self.title = title
        self.content = content
        self.isInBody = isInBody
    }
}
