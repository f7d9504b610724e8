/// A parameter in a request, or a field of a response.
struct OpenAPIParameter: Sendable {
    /// The part of a request that the parameter stands in.
    enum Location: String, Sendable {
        case path, query, header, cookie
    }

    /// The name and location, which tell a parameter from the others of an operation (OpenAPI 3.0.3 §4.7.12).
    struct Identity: Hashable {
        let name: String
        let location: Location
    }

    var name: String
    var location: Location
    var isRequired = false
    var schema: Schema.Number?
    /// Whether the value is a JSON text (`content` with a JSON type in place of a schema).
    var isJSON = false
    /// The style in which lists and objects are written, such as `form` or `spaceDelimited`.
    var style: String
    /// Whether each element of a list has a name of its own.
    var isExploded: Bool
    /// Whether the schema accepts objects and nothing else.
    var takesMembers = false
    /// Whether the value may be empty, whatever the schema says.
    var allowsEmptyValue = false

    /// Whether the parameter is an object whose members stand in the query one by one: `R=100&G=200`, `color[R]=100`.
    var isSpread: Bool {
        location == .query && !isJSON && (style == "deepObject" || takesMembers && style == "form" && isExploded)
    }

    var identity: Identity { Identity(name: name, location: location) }

    /// Whether the parameter takes a name of the query.
    func takes(_ name: String) -> Bool {
        location == .query && (self.name == name || style == "deepObject" && name.hasPrefix(self.name + "["))
    }
}
