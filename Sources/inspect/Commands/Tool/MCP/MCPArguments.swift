import Traffic

/// The arguments of a call, which are such as the tool takes.
struct MCPArguments: Sendable {
    private let value: JSONValue

    /// Checks the arguments of a call.
    ///
    /// - Throws: `InputError` naming the argument and what it has to be.
    init(_ value: JSONValue, of parameters: [MCPParameter]) throws {
        guard case .object(let members) = value else {
            throw InputError("the arguments have to be an object, not \(value.kind)")
        }
        let names = parameters.map(\.name)
        for member in members {
            guard let parameter = parameters.first(where: { $0.name == member.name }) else {
                throw InputError("there is no argument '\(member.name)'; there are \(names.joined(separator: ", "))")
            }
            if let problem = parameter.problem(member.value) { throw InputError("'\(member.name)' \(problem)") }
        }
        for parameter in parameters where parameter.isRequired && value[parameter.name] == nil {
            throw InputError("'\(parameter.name)' is missing: \(parameter.summary)")
        }
        self.value = value
    }

    /// A text; `nil` where it is not given.
    func text(_ name: String) -> String? { value[name]?.string }
    /// A whole number; `nil` where it is not given.
    func whole(_ name: String) -> Int64? { value[name]?.integer }
    /// Whether something is true; false where it is not given.
    func truth(_ name: String) -> Bool { value[name]?.boolean ?? false }
    /// A list of texts; empty where it is not given.
    func texts(_ name: String) -> [String] { value[name]?.elements?.compactMap(\.string) ?? [] }
}
