extension MenuRecord {
    /// The record as a newer program would write it, for the last days of the seed; the client crashes on, or misreads, each.
    ///
    /// Fifth day ahead: a hall that the client does not know. Sixth: a food type that it does not know, a measure that is no number, and a
    /// food that is listed without its facts.
    func spoiled(at position: Int) -> MenuRecord {
        switch position {
        case 6: replacing(payload.renaming("Feast", to: "Epicuria"))
        case 7: replacing(payload.renaming("Vegetarian", to: "Pescatarian").with("Saturated Fat", "<1").withoutOneFood)
        default: self
        }
    }

    private func replacing(_ payload: JSON) -> MenuRecord {
        MenuRecord(name: name, type: type, day: day, payload: payload)
    }
}

extension JSON {
    /// The value with every member of a name given another value, at every depth.
    func with(_ name: String, _ value: JSON) -> JSON {
        switch self {
        case .array(let elements): .array(elements.map { $0.with(name, value) })
        case .object(let members):
            .object(
                members.map { member in
                    Member(name: member.name, value: member.name == name ? value : member.value.with(name, value))
                }
            )
        default: self
        }
    }

    /// The value with a word replaced wherever it is a member's name or a whole string.
    fileprivate func renaming(_ word: String, to other: String) -> JSON {
        switch self {
        case .string(word): .string(other)
        case .array(let elements): .array(elements.map { $0.renaming(word, to: other) })
        case .object(let members):
            .object(
                members.map { member in
                    Member(
                        name: member.name == word ? other : member.name,
                        value: member.value.renaming(word, to: other)
                    )
                }
            )
        default: self
        }
    }

    /// A menu without the facts of its first food.
    fileprivate var withoutOneFood: JSON {
        guard case .object(let members) = self else { return self }
        return .object(
            members.map { member in
                guard member.name == "foods", case .object(let foods) = member.value else { return member }
                return Member(name: member.name, value: .object(Array(foods.dropFirst())))
            }
        )
    }
}
