import Traffic

extension CKANRequest {
    /// The resource whose rows are the scores of all datasets.
    static let qualityScores = "22f223e7-73f7-4842-935c-80a0ba5c3e5b"

    /// The app's name of a field that filters select by.
    static func label(_ field: String) -> String {
        switch field {
        case "owner_division": "Publisher"
        case "refresh_rate": "Refresh Rate"
        case "formats", "res_format": "Format"
        case "dataset_category": "Type"
        case "topics": "Topic"
        case "civic_issues": "Civic Issue"
        case "tags": "Tag"
        case "name": "Package"
        default: field
        }
    }

    /// The request in words: the search token with its item, the filters, the order and the page.
    var sentence: String { [listSentence, page].compactMap { $0 }.joined(separator: ", ") }

    /// The request in words, without the page.
    var listSentence: String {
        var parts = [token]
        parts += filters.map { "\(CKANRequest.label($0.field ?? ""))\($0.isNegated ? " ≠ " : " = ")\($0.value)" }
        if action == "package_search" {
            if let text = value("q"), !isTopic(text) { parts.append("text “\(text)”") }
            if let order { parts.append(order) }
            if let misplacedOrder { parts.append("Order By “\(misplacedOrder)” inside fq") }
            let words = otherWords
            if !words.isEmpty { parts.append("words “\(words.joined(separator: " "))”") }
        }
        return parts.joined(separator: ", ")
    }

    /// The search token of the app that sends this request, with the item where one is named.
    var token: String {
        let id = value("id") ?? ""
        switch action {
        case "recently_changed_packages_activity_list": return "Recently Changed"
        case "tag_list": return "Tags"
        case "package_list": return "Packages"
        case "package_show": return "Package \(value("id") ?? value("name_or_id") ?? "without a name")"
        case "package_search": return searchToken
        case "package_autocomplete": return "Autocomplete “\(value("q") ?? "")”"
        case "package_activity_list": return "History of \(id.isEmpty ? "nothing" : id)"
        case "user_list": return "Admins"
        case "user_show": return "Admin \(id)"
        case "vocabulary_list": return "Vocabularies"
        case "help_show": return "Help on \(value("name") ?? "nothing")"
        case "datastore_search":
            let resource = value("resource_id") ?? id
            return resource == CKANRequest.qualityScores ? "Quality Scores" : "Map of resource \(resource)"
        case "": return "No action"
        default: return "Action \(action)"
        }
    }

    /// The clause of the token's item, which is no filter; `nil` where the token has none.
    private var item: SearchClause? {
        for field in ["tags", "name", "civic_issues", "topics"] {
            if let clause = clauses.first(where: { $0.field == field && !$0.isNegated }) { return clause }
        }
        return nil
    }

    private var searchToken: String {
        if let item, let field = item.field {
            return "\(CKANRequest.label(field)) \(field == "tags" ? unquotedTag ?? item.value : item.value)"
        }
        if let text = value("q"), isTopic(text) { return "Topic \(text)" }
        switch facetField {
        case "topics": return limit == 0 ? "Filter values of Topic" : "Topics"
        case "civic_issues": return limit == 0 ? "Filter values of Civic Issue" : "Civic Issues"
        case let field?: return "Filter values of \(CKANRequest.label(field))"
        case nil: return "Datasets"
        }
    }

    /// Whether `q` is a topic's name, the only plain text that the app puts there.
    private func isTopic(_ text: String) -> Bool {
        !text.contains(":") && text != "*" && item == nil && facetField == nil
    }

    /// The clauses that narrow what the token lists.
    var filters: [SearchClause] {
        let item = item
        var isItemSeen = false
        return clauses.filter { clause in
            guard clause.field != nil else { return false }
            if clause == item, !isItemSeen {
                isItemSeen = true
                return false
            }
            return true
        }
    }

    /// The order in words; `nil` where the portal decides.
    private var order: String? {
        guard let sort = value("sort") else { return nil }
        let words = sort.split(separator: " ").map(String.init)
        guard words.count <= 2, let field = words.first else { return "ordered by \(sort)" }
        let isDescending = words.dropFirst().first?.lowercased() == "desc"
        switch field {
        case "metadata_modified", "last_refreshed": return isDescending ? "newest first" : "oldest first"
        case "name", "title", "title_string": return isDescending ? "Z to A" : "A to Z"
        case "score": return "best first"
        default: return "ordered by \(sort)"
        }
    }

    /// `rows 31–60`; a value that is no number as it was sent; `nil` where no page is asked for.
    private var page: String? {
        let names = ["offset", "start", "limit", "rows"].filter { value($0) != nil }
        guard !names.isEmpty else { return nil }
        guard names.allSatisfy({ count($0) != nil }) else {
            return names.map { "\($0)=\(value($0) ?? "")" }.joined(separator: ", ")
        }
        if limit == 0 { return facetField == nil ? "counts only" : nil }
        return limit.map { "rows \(start + 1)–\(start + $0)" } ?? "from row \(start + 1)"
    }
}
