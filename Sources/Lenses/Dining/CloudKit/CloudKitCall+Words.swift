import Traffic

/// A CloudKit request as sentences and fields.
extension CloudKitCall {
    /// The request in words, one line.
    var sentence: String {
        let place = container.map { " in \($0)" } ?? ""
        switch operation {
        case "query":
            let type = recordType ?? "records of no named type"
            var text = "Query \(type)\(place)"
            if !conditions.isEmpty { text += ": " + conditions.map(\.words).joined(separator: " and ") }
            if !sorts.isEmpty { text += ", sorted by " + sorts.map(Self.words).joined(separator: ", then ") }
            if let limit { text += ", at most \(limit.counted("record"))" }
            return isContinued ? text + ", continued" : text
        case "lookup":
            let listed = names.prefix(5).joined(separator: ", ")
            return "Look up \(names.count.counted("record"))\(place)"
                + (names.isEmpty ? "" : ": \(listed)\(names.count > 5 ? " …" : "")")
        case "modify":
            let kinds = Dictionary(grouping: changes, by: \.kind).sorted { $0.key < $1.key }
            return "Change \(changes.count.counted("record"))\(place)"
                + (kinds.isEmpty ? "" : ": " + kinds.map { "\($0.value.count) \($0.key)" }.joined(separator: ", "))
        case "changes": return "Ask what changed\(zone.map { " in the zone \($0)" } ?? "")\(place)"
        default: return operation.isEmpty ? "A CloudKit request" : "Call \(operation)\(place)"
        }
    }

    /// The parts of the request, a field each.
    var fields: [LensField] {
        var fields: [LensField] = []
        func add(_ name: String, _ text: String?) {
            if let text { fields.append(LensField(name, text)) }
        }
        add("Container", container)
        add("Environment", environment)
        add("Database", database)
        add("Operation", operation.isEmpty ? nil : operation)
        add("Zone", zone)
        add("Record type", recordType)
        for condition in conditions { add("Where", condition.words) }
        add("Sorted by", sorts.isEmpty ? nil : sorts.map(Self.words).joined(separator: ", then "))
        add("At most", limit.map { $0.counted("record") })
        add("Fields", desiredKeys.isEmpty ? nil : desiredKeys.joined(separator: ", "))
        add("Records", names.isEmpty ? nil : names.joined(separator: ", "))
        if isContinued { add("Continued", "from where an earlier answer ended") }
        add("Credentials", credentials.isEmpty ? "none" : credentials.joined(separator: ", ") + " (hidden)")
        if let problem { fields.append(LensField("Body", LensText("The body \(problem).", .bad))) }
        return fields
    }

    /// The changes of a `modify`, a row each.
    var changeTable: LensTable {
        LensTable(
            columns: ["Change", "Record type", "Record", "Fields"],
            rows: changes.map { change in
                let fields = change.record.fields.map { "\($0.name): \($0.text)" }.joined(separator: ", ")
                return [
                    LensText(change.kind), LensText(change.record.type ?? "–"), LensText(change.record.name ?? "–"),
                    LensText(fields, .faint),
                ]
            }
        )
    }

    private static func words(_ sort: (field: String, isAscending: Bool)) -> String {
        "\(sort.field) \(sort.isAscending ? "ascending" : "descending")"
    }

}

extension CloudKitCall.Condition {
    /// The condition in words: `Day at least Fri 2015-05-29 00:00 PDT`.
    var words: String {
        let value = value?.text ?? "nothing"
        let relation =
            switch comparator {
            case "EQUALS": "is"
            case "NOT_EQUALS": "is not"
            case "LESS_THAN": "below"
            case "LESS_THAN_OR_EQUALS": "at most"
            case "GREATER_THAN": "above"
            case "GREATER_THAN_OR_EQUALS": "at least"
            case "IN": "is one of"
            case "NOT_IN": "is none of"
            case "NEAR": "near"
            case "BEGINS_WITH": "begins with"
            case "NOT_BEGINS_WITH": "does not begin with"
            case "CONTAINS_ALL_TOKENS": "contains all words of"
            case "CONTAINS_ANY_TOKENS": "contains a word of"
            case "LIST_CONTAINS": "contains"
            case "NOT_LIST_CONTAINS": "does not contain"
            case "LIST_CONTAINS_ANY": "contains one of"
            case "LIST_CONTAINS_ALL": "contains all of"
            case "LIST_MEMBER_BEGINS_WITH": "has a member that begins with"
            case "NOT_LIST_MEMBER_BEGINS_WITH": "has no member that begins with"
            case "": "without a comparator"
            default: comparator
            }
        return "\(field) \(relation) \(value)"
    }
}
