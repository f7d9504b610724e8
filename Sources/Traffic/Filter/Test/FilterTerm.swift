/// One of the terms of a query text, all of which must hold, with its place in the text: a person can remove, negate or edit it by itself.
package struct FilterTerm: Hashable, Sendable {
    /// A value of a facet's term: as it may stand in a query, and the facet's own value, where it names one.
    package struct Part: Hashable, Sendable {
        package let text: String
        package let value: String?
    }

    /// The text of the term, as it stood.
    package let text: String
    /// Its place in the query text, in UTF-16 code units from 0, as scripts count.
    package let range: Range<Int>
    /// The meaning of the term.
    package let condition: FilterCondition
    /// Whether the term is a list of alternatives without parentheses, which then is the whole text.
    let isBareList: Bool

    /// The term with the meaning of the search that was saved under its name.
    package func replacing(_ condition: FilterCondition) -> FilterTerm {
        FilterTerm(text: text, range: range, condition: condition, isBareList: isBareList)
    }

    /// Whether the term is negated.
    package var isNegated: Bool {
        if case .not = condition { true } else { false }
    }

    /// Its meaning in English, without full stop.
    package var sentence: String { condition.sentence(isNegated: false) }

    /// The text of a term that means the contrary.
    package var negation: String {
        if isBareList { return "-(\(text))" }
        return text.hasPrefix("-") ? String(text.dropFirst()) : "-" + text
    }

    /// The facet whose values the term wants or excludes; `nil` where it is another kind of term.
    package var facet: Facet? { choice?.facet }

    /// The values that the term wants or excludes; empty where it is another kind of term.
    package var parts: [Part] {
        guard let (facet, wanted) = choice else { return [] }
        return wanted.map { Part(text: $0.text(in: facet), value: $0.namedValue(in: facet)) }
    }

    private var choice: (facet: Facet, wanted: [FacetSelector])? {
        switch condition {
        case .test(.facet(let facet, let wanted)), .not(.test(.facet(let facet, let wanted))): (facet, wanted)
        case .all, .any, .not, .test: nil
        }
    }
}
