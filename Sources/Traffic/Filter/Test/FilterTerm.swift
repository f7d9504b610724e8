/// One of the terms of a query text that must all hold, with its place in it: what a person takes away, turns round or edits by itself.
package struct FilterTerm: Hashable, Sendable {
    /// A value of a facet's term: as it may stand in a query, and the facet's own value, where it names one.
    package struct Part: Hashable, Sendable {
        package let text: String
        package let value: String?
    }

    /// As it stood.
    package let text: String
    /// Its place in the query text, in UTF-16 code units from 0, as scripts count.
    package let range: Range<Int>
    /// What it says.
    package let condition: FilterCondition
    /// Whether it is alternatives without parentheses of their own, and so the whole text.
    let isBareList: Bool

    /// The term with another meaning: that of what was saved under its name.
    package func replacing(_ condition: FilterCondition) -> FilterTerm {
        FilterTerm(text: text, range: range, condition: condition, isBareList: isBareList)
    }

    /// Whether what it names is unwanted.
    package var isNegated: Bool {
        if case .not = condition { true } else { false }
    }

    /// Its meaning in English, without full stop.
    package var sentence: String { condition.sentence(isNegated: false) }

    /// The text that says the contrary.
    package var negation: String {
        if isBareList { return "-(\(text))" }
        return text.hasPrefix("-") ? String(text.dropFirst()) : "-" + text
    }

    /// The facet that it is a choice of, wanted or not; `nil` where it is something else.
    package var facet: Facet? { choice?.facet }

    /// The values of the choice; empty where it is none.
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
