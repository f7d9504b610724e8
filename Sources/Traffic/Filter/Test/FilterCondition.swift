/// A condition on an exchange: tests joined by AND, OR and NOT.
///
/// Made by `allOf`, `anyOf` and `negation`, which keep one shape for what means the same: no list within a list of its kind, none of one.
package indirect enum FilterCondition: Hashable, Sendable {
    case all([FilterCondition])
    case any([FilterCondition])
    case not(FilterCondition)
    case test(FilterTest)

    /// Every one must hold; without any, it holds.
    package static func allOf(_ parts: [FilterCondition]) -> FilterCondition {
        let flat = parts.flatMap { part -> [FilterCondition] in
            if case .all(let inner) = part { inner } else { [part] }
        }
        return flat.count == 1 ? flat[0] : .all(flat)
    }

    /// One must hold; without any, it does not.
    package static func anyOf(_ parts: [FilterCondition]) -> FilterCondition {
        let flat = parts.flatMap { part -> [FilterCondition] in
            if case .any(let inner) = part { inner } else { [part] }
        }
        return flat.count == 1 ? flat[0] : .any(flat)
    }

    /// It must not hold.
    package static func negation(_ part: FilterCondition) -> FilterCondition {
        if case .not(let inner) = part { inner } else { .not(part) }
    }
}
