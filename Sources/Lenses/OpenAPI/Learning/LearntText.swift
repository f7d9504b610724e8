/// The common form of texts in the same place: a format, or a few values that come again and again.
struct LearntText: Sendable {
    /// The most different values of an enumeration.
    private static let valueLimit = 8
    /// How many times as many texts as values an enumeration needs.
    private static let repeats = 5
    /// The formats that are learnt, narrower ones first.
    private static let formats: [SchemaFormat] = [.dateTime, .date, .time, .uuid, .ipv4, .ipv6, .email, .uri]

    private(set) var count = 0
    /// The formats that every text so far has.
    private var formats = LearntText.formats
    /// The values so far; `nil` once there are too many, or one of them is no word.
    private var values: Set<String>? = []

    /// Adds a text.
    mutating func add(_ text: String) {
        count += 1
        let length = text.utf8.count
        // What is learnt holds for what it was learnt from; labels that would have to be decoded for that are not worth it.
        formats.removeAll { !$0.hasForm(text) || length > 2_000 || $0.cost(of: text) > length }
        guard values != nil else { return }
        guard LearntText.isWord(text), values?.contains(text) == true || values?.count ?? 0 < LearntText.valueLimit
        else {
            values = nil
            return
        }
        values?.insert(text)
    }

    /// Adds the texts of another place that is taken for the same.
    mutating func join(_ other: LearntText) {
        guard other.count > 0 else { return }
        count += other.count
        formats.removeAll { !other.formats.contains($0) }
        guard let mine = values, let theirs = other.values, mine.union(theirs).count <= LearntText.valueLimit else {
            values = nil
            return
        }
        values = mine.union(theirs)
    }

    /// The format of all texts; `nil` where they share none.
    var format: SchemaFormat? { count > 0 ? formats.first : nil }

    /// The values, sorted, where they are few and came often; `nil` otherwise, and for a single value, which could be anything.
    var enumeration: [String]? {
        guard let values, values.count > 1, count >= values.count * LearntText.repeats, format == nil else {
            return nil
        }
        return values.sorted()
    }

    /// Whether a text is short, of letters, digits and a few signs: like a value of an enumeration, not like a person's writing.
    private static func isWord(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || " _-./+".utf8.contains($0)
            }
            && text.utf8.contains { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
    }
}
