/// What the parameters of an operation take of a query, found by name: a query may have as many names as an operation has parameters.
struct QueryNames: Sendable {
    private var plain: Set<String> = []
    /// What the members of objects in brackets begin with: `filter[`.
    private var bracketed: [String] = []
    /// Objects whose members are parameters of their own.
    private(set) var spreadCount = 0

    /// The names of some parameters, those that are not in the query left out.
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
    ///   - name: escapes undone.
    ///   - work: steps that may be taken; one is taken off for each name that it is compared with.
    /// - Returns: whether one does.
    func contains(_ name: String, work: inout Int) -> Bool {
        work -= 1
        if plain.contains(name) { return true }
        work -= bracketed.count
        return bracketed.contains { name.hasPrefix($0) }
    }
}
