/// A parameter in a request, or a field of a response.
struct OpenAPIParameter: Sendable {
    /// Where in a request it stands.
    enum Location: String, Sendable {
        case path, query, header, cookie
    }

    /// What tells a parameter from the others of an operation (OpenAPI 3.0.3 §4.7.12).
    struct Identity: Hashable {
        let name: String
        let location: Location
    }

    var name: String
    var location: Location
    var isRequired = false
    var schema: Schema.Number?
    /// Whether its value is a JSON text (`content` with a JSON type in the place of a schema).
    var isJSON = false
    /// How lists and objects are written, as in `form`, `simple` and `spaceDelimited`.
    var style: String
    /// Whether each element of a list has a name of its own.
    var isExploded: Bool
    /// Whether its schema takes objects and nothing else.
    var takesMembers = false
    /// Whether it may be empty whatever its schema says.
    var allowsEmptyValue = false

    /// Whether it is an object of which each member stands in the query by itself: `R=100&G=200`, `color[R]=100`.
    var isSpread: Bool {
        location == .query && !isJSON && (style == "deepObject" || takesMembers && style == "form" && isExploded)
    }

    var identity: Identity { Identity(name: name, location: location) }

    /// Whether something in the query is for it.
    func takes(_ name: String) -> Bool {
        location == .query && (self.name == name || style == "deepObject" && name.hasPrefix(self.name + "["))
    }
}
