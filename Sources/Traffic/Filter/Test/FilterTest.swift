/// One test of an exchange; where it has several values, any will do.
package enum FilterTest: Hashable, Sendable {
    /// The value of a facet.
    case facet(Facet, [FacetSelector])
    /// A number, within one of these ranges.
    case number(FilterNumber, [ClosedRange<Int64>])
    /// It started at or after this: microseconds since 1970.
    case since(Int64)
    /// It started before this.
    case before(Int64)
    /// A text in the exchange's line.
    case line(FilterLine, [TextPattern])
    /// A field of a head or a trailer section, of one side or either.
    case header(MessageSide?, [HeaderPattern])
    /// A decoded textual body, of one side or either.
    case body(MessageSide?, [TextPattern])
    /// A JSON body of either side.
    case json([JSONPattern])
    /// A message of its stream.
    case message([TextPattern])
    /// A trait of the exchange.
    case trait([FilterTrait])
    /// Anything that is text: URL, fields, bodies, messages.
    case text(TextPattern)
}
