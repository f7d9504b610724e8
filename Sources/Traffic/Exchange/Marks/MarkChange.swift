/// A change of the marks of exchanges; a mark that it does not name stays as it is.
///
/// In JSON: `{"add": ["slow"], "remove": [], "favourite": true, "note": "…"}`, each member left out where nothing is to change.
package struct MarkChange: Hashable, Sendable, Codable {
    /// Tags to add.
    package var added: [String] = []
    /// Tags to take away.
    package var removed: [String] = []
    /// Whether it is a favourite; `nil` leaves it.
    package var favourite: Bool?
    /// The note; empty takes it away, `nil` leaves it.
    package var note: String?

    private enum CodingKeys: String, CodingKey {
        case added = "add"
        case removed = "remove"
        case favourite, note
    }

    package init() {}

    /// Reads a change that a program asked for.
    ///
    /// - Throws: `DecodingError` for another shape, `FilterError` naming a tag that is none.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        added = try (members.decodeIfPresent([String].self, forKey: .added) ?? []).map(Tag.name)
        removed = try (members.decodeIfPresent([String].self, forKey: .removed) ?? []).map(Tag.name)
        favourite = try members.decodeIfPresent(Bool.self, forKey: .favourite)
        note = try members.decodeIfPresent(String.self, forKey: .note)
    }

    /// Whether nothing is to change.
    package var isEmpty: Bool { self == MarkChange() }

    /// Adds or takes away tags.
    ///
    /// - Throws: `FilterError` naming the tag that is none.
    package static func tags(_ names: [String], isRemoval: Bool = false) throws -> MarkChange {
        var change = MarkChange()
        let names = try names.map(Tag.name)
        if isRemoval { change.removed = names } else { change.added = names }
        return change
    }

    /// The marks after the change.
    ///
    /// - Throws: `FilterError` when there are too many tags or the note is too long.
    package func applied(to marks: ExchangeMarks) throws -> ExchangeMarks {
        var marks = marks
        marks.tags = Set(marks.tags).union(added).subtracting(removed).sorted()
        guard marks.tags.count <= ExchangeMarks.tagLimit else {
            throw FilterError("an exchange takes at most \(ExchangeMarks.tagLimit) tags")
        }
        if let favourite { marks.isFavourite = favourite }
        if let note {
            guard note.count <= ExchangeMarks.noteLimit else {
                throw FilterError("a note has at most \(ExchangeMarks.noteLimit) characters")
            }
            marks.note = note.isEmpty ? nil : note
        }
        return marks
    }
}
