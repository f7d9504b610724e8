/// The names that an operation's parameters take from a query, indexed: a query may have as many names as an operation has parameters.
struct QueryNames: Sendable {
    private var plain: Set<String> = []
    /// The beginnings of the names of objects' members in brackets: `filter[`.
    private var bracketed: [String] = []
    /// The count of objects whose members are parameters of their own.
    private(set) var spreadCount = 0

    /// Collects the names of the query parameters.
    init(_ parameters: [OpenAPIParameter]) {
        for parameter in parameters where parameter.location == .query {
            plain.insert(parameter.name)
            if parameter.style == "deepObject" { bracketed.append(parameter.name + "[") }
            if parameter.isSpread, parameter.style == "form" { spreadCount += 1 }
        }
    }

    /// Whether one of the parameters takes a name.
    ///
    /// - Parameters:
    ///   - name: the name, escapes undone.
    ///   - work: the steps that may be taken; each comparison with a name takes one off.
    /// - Returns: whether a parameter takes it.
    func contains(_ name: String, work: inout Int) -> Bool {
        work -= 1
        if plain.contains(name) { return true }
        work -= bracketed.count
        return bracketed.contains { name.hasPrefix($0) }
    }
}
