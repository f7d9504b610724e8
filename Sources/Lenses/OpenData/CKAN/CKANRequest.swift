import Traffic

/// A request to the portal: its action and parameters.
struct CKANRequest: Sendable, Equatable {
    /// The action, the last part of the path: `package_search`; empty where the path names none.
    let action: String
    /// Whether the request is a call; the portal's host also serves the files of resources, and pages for people.
    let isCall: Bool
    /// The parameters in order, decoded; those of a JSON body after those of the target.
    let parameters: [Parameter]
    /// The clauses of every `fq`, in order.
    let clauses: [SearchClause]

    /// A name with its value; a bare name has an empty value.
    struct Parameter: Sendable, Equatable {
        let name: String
        let value: String
    }

    init(_ capture: Capture) {
        var parameters = CKANRequest.parameters(of: capture.exchange.target)
        if case .object(let members)? = try? capture.request.looseJSON() {
            parameters += members.map { Parameter(name: $0.name, value: CKANRequest.text(of: $0.value)) }
        }
        self.init(path: capture.path, parameters: parameters)
    }

    /// Reads a request by its target alone.
    init(target: String) {
        self.init(path: QueryString.split(target).path, parameters: CKANRequest.parameters(of: target))
    }

    private init(path: Substring, parameters: [Parameter]) {
        let parts = QueryString.steps(path)
        let place = parts.lastIndex(of: "action")
        isCall = place != nil
        action = place.flatMap { parts[$0...].dropFirst().first.map(String.init) } ?? ""
        self.parameters = parameters
        clauses = parameters.filter { $0.name == "fq" }.flatMap { SearchClause.list($0.value) }
    }

    /// A parameter's first value; `nil` where it is missing or empty.
    func value(_ name: String) -> String? {
        parameters.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// A parameter that is a natural number, small enough that sums of rows do not overflow; `nil` for any other.
    func count(_ name: String) -> Int? {
        value(name).flatMap { Int($0) }.flatMap { (0...CKANRequest.greatestCount).contains($0) ? $0 : nil }
    }

    private static let greatestCount = 1 << 40

    /// The field whose values are to be counted: the first of `facet.field`.
    var facetField: String? {
        guard let text = value("facet.field") else { return nil }
        guard let list = try? JSONBound.value(Array(text.utf8)) else { return text.contains("[") ? nil : text }
        return list.elements?.compactMap(\.string).first ?? list.string
    }

    /// How many items come before the page that is asked for.
    var start: Int { count("offset") ?? count("start") ?? 0 }

    /// The most items that are asked for; `nil` where the portal decides.
    var limit: Int? { count("limit") ?? count("rows") }

    /// All of the request but the page, in a fixed order: equal for the pages of one list, whatever the order of their parameters.
    var listKey: String {
        let rest = parameters.filter { !["offset", "start", "limit", "rows"].contains($0.name) }
        return ([action] + rest.map { "\($0.name)=\($0.value)" }.sorted()).joined(separator: "&")
    }

    /// Whether the request is for the list of changes on the app's home page.
    var isRecentlyChanged: Bool { action == "recently_changed_packages_activity_list" }

    private static func parameters(of target: String) -> [Parameter] {
        QueryString.items(target).map { Parameter(name: $0.name, value: $0.value) }
    }

    private static func text(of value: JSONValue) -> String {
        switch value {
        case .string(let text): return text
        case .null: return ""
        case .boolean(let flag): return flag ? "true" : "false"
        default:
            if let whole = value.integer { return String(whole) }
            var json = JSONWriter()
            json.value(nil, value)
            return String(decoding: json.take(), as: UTF8.self)
        }
    }
}
