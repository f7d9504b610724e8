/// What may follow in a query text that is being typed: keys, and the values that are known.
package enum FilterCompletion {
    /// Completions that are offered at most.
    private static let limit = 50

    /// The query texts that the typed one may become, whole, the likeliest first.
    ///
    /// - Parameters:
    ///   - text: what was typed; its last word is completed.
    ///   - counts: the values of a facet that were seen; asked for at most once.
    /// - Returns: nothing within quotes, and where nothing is known.
    /// - Throws: what `counts` throws.
    package static func texts(_ text: String, counts: (Facet) throws -> [FacetCount]) rethrows -> [String] {
        guard text.count(where: { $0 == "\"" }) % 2 == 0 else { return [] }
        let start = text.lastIndex { $0.isWhitespace || $0 == "(" }.map(text.index(after:)) ?? text.startIndex
        var before = String(text[..<start])
        var word = text[start...]
        while word.first == "-" { before.append(word.removeFirst()) }
        guard let colon = word.firstIndex(of: ":") else {
            let typed = word.lowercased()
            return FilterKey.all.map(\.name).filter { $0.hasPrefix(typed) }.map { "\(before)\($0):" }
        }
        guard let key = FilterKey.named(String(word[..<colon])) else { return [] }
        let list = word[word.index(after: colon)...]
        let last = list.lastIndex(of: ",").map(list.index(after:)) ?? list.startIndex
        before += word[..<last]
        let typed = list[last...].lowercased()
        return try values(of: key, counts).filter { $0.lowercased().hasPrefix(typed) }.prefix(limit).map {
            before + ($0.contains("&") ? QueryWord.quoted($0) : QueryWord.value($0))
        }
    }

    private static func values(of key: FilterKey, _ counts: (Facet) throws -> [FacetCount]) rethrows -> [String] {
        switch key.form {
        case .facet(let facet):
            let known = try counts(facet)
            let seen = (facet == .code ? known : facet.ordered(known, by: .count)).map { facet.label($0.value) }
            let families =
                facet == .code ? (1...5).map { "\($0)xx" } : facet == .type ? MediaKind.allCases.map(\.rawValue) : []
            return seen + families.filter { !seen.contains($0) }
        case .trait: return FilterTrait.allCases.map(\.rawValue)
        case .since, .before: return ["5m", "1h", "1d", "1w"]
        case .json: return ["$."]
        case .number, .line, .header, .body, .message: return []
        }
    }
}
