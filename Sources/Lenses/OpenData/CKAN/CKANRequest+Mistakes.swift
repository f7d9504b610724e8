/// The known mistakes of the app in its requests.
extension CKANRequest {
    private static let directions: Set = ["asc", "desc"]

    /// C1: an order written inside `fq`, where the portal searches for its words; `nil` where there is none.
    var misplacedOrder: String? {
        guard action == "package_search" else { return nil }
        let loose = clauses.filter { $0.field == nil && !$0.isQuoted }.map(\.value)
        for (index, word) in loose.enumerated().dropFirst()
        where CKANRequest.directions.contains(word.lowercased()) && CKANRequest.isFieldName(loose[index - 1]) {
            return "\(loose[index - 1]) \(word)"
        }
        return nil
    }

    /// C2: a tag of several words that stands without quotes, as it was meant; `nil` where there is none.
    var unquotedTag: String? {
        guard let place = clauses.firstIndex(where: { $0.field == "tags" && !$0.isQuoted }) else { return nil }
        let words = clauses[place...].dropFirst().prefix { $0.field == nil && !$0.isQuoted && !$0.isNegated }.map(
            \.value
        )
        let own = CKANRequest.withoutOrder(words)
        return own.isEmpty ? nil : ([clauses[place].value] + own).joined(separator: " ")
    }

    /// C4: a title in the place of a dataset's name or id; `nil` where there is none.
    var titleAsID: String? {
        guard ["package_activity_list", "package_show"].contains(action), let id = value("id") else { return nil }
        return CKANRequest.isName(id) ? nil : id
    }

    /// The words in `fq` that are neither an order nor the rest of a tag.
    var otherWords: [String] {
        let words = clauses.filter { $0.field == nil }.map(\.value)
        guard let unquotedTag else { return CKANRequest.withoutOrder(words) }
        var ofTag: [String: Int] = [:]
        for word in unquotedTag.split(separator: " ").dropFirst() { ofTag[String(word), default: 0] += 1 }
        return CKANRequest.withoutOrder(
            words.filter { word in
                guard let count = ofTag[word], count > 0 else { return true }
                ofTag[word] = count - 1
                return false
            }
        )
    }

    /// Whether a text may be a dataset's name or id: CKAN allows lower-case letters, digits, `-` and `_`.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
                    || (0x41...0x46).contains(byte) && text.utf8.count == 36
            }
    }

    private static func isFieldName(_ word: String) -> Bool {
        word.contains("_") || ["score", "name", "title"].contains(word)
    }

    /// The words without the pairs of a field and a direction, pairs around another pair too; takes one pass, however many there are.
    private static func withoutOrder(_ words: [String]) -> [String] {
        words.reduce(into: []) { rest, word in
            if directions.contains(word.lowercased()), let last = rest.last, isFieldName(last) {
                rest.removeLast()
            } else {
                rest.append(word)
            }
        }
    }
}
