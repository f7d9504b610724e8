/// A condition on an exchange: tests joined by AND, OR and NOT.
///
/// Make one by `allOf`, `anyOf` and `negation`: they give conditions of one meaning one shape, without a list in a list of its kind or a list of one
/// part.
package indirect enum FilterCondition: Hashable, Sendable {
    case all([FilterCondition])
    case any([FilterCondition])
    case not(FilterCondition)
    case test(FilterTest)

    /// A condition that holds where every part does; without parts it always holds.
    package static func allOf(_ parts: [FilterCondition]) -> FilterCondition {
        let flat = parts.flatMap { part -> [FilterCondition] in
            if case .all(let inner) = part { inner } else { [part] }
        }
        return flat.count == 1 ? flat[0] : .all(flat)
    }

    /// A condition that holds where one of the parts does; without parts it never holds.
    package static func anyOf(_ parts: [FilterCondition]) -> FilterCondition {
        let flat = parts.flatMap { part -> [FilterCondition] in
            if case .any(let inner) = part { inner } else { [part] }
        }
        return flat.count == 1 ? flat[0] : .any(flat)
    }

    /// A condition that holds where the part does not.
    package static func negation(_ part: FilterCondition) -> FilterCondition {
        if case .not(let inner) = part { inner } else { .not(part) }
    }
}
