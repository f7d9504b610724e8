import Traffic

/// A reader of the parts of an OpenAPI document.
struct OpenAPIReader {
    /// The methods that a path may have, as the document writes them.
    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]
    /// The most steps of reading one document: a million parts, or five million schemas that are read for them.
    ///
    /// A part is read once for each reference to it: one answer may be that of every operation.
    static let mostWork = 5_000_000
    /// The steps of a part, whatever members it has.
    private static let workOfPart = 5
    /// The members that are read in one step.
    private static let membersOfWork = 4

    let tree: DocumentTree
    var schemas: SchemaReader
    private var work: Int

    init(_ root: JSONValue, work: Int = OpenAPIReader.mostWork) throws(OpenAPIProblem) {
        guard root.isObject else { throw OpenAPIProblem("expected an OpenAPI document, found \(root.kind)") }
        guard let version = root["openapi"]?.string else {
            if let old = root["swagger"]?.string {
                throw OpenAPIProblem(at: "#/swagger", "Swagger \(old) is not understood; convert it to OpenAPI 3")
            }
            throw OpenAPIProblem("expected an OpenAPI document: there is no openapi: 3.1.0 at its top")
        }
        guard version.hasPrefix("3.0") || version.hasPrefix("3.1") else {
            throw OpenAPIProblem(at: "#/openapi", "OpenAPI \(version) is not understood; 3.0 and 3.1 are")
        }
        tree = DocumentTree(root: root, isOld: version.hasPrefix("3.0"))
        schemas = SchemaReader(tree)
        self.work = work
    }

    /// Counts the steps of a part.
    private mutating func take(_ part: JSONValue, at place: String) throws(OpenAPIProblem) {
        var members = 0
        if case .object(let found) = part { members = found.count }
        work -= OpenAPIReader.workOfPart + members / OpenAPIReader.membersOfWork
        guard work >= 0 else {
            throw OpenAPIProblem(
                at: place,
                "the document has more parts than are read; one that is referred to counts each time"
            )
        }
    }

    /// The servers of a document, a path or an operation; `nil` where it names none.
    mutating func servers(_ value: JSONValue?, _ place: String) throws(OpenAPIProblem) -> [ServerAddress]? {
        guard let elements = value?.elements, !elements.isEmpty else { return nil }
        var servers: [ServerAddress] = []
        for (index, element) in elements.enumerated() {
            try take(element, at: place)
            guard let url = element["url"]?.string, let server = ServerAddress(url) else {
                throw OpenAPIProblem(at: JSONPointer.child(index, of: place), "expected a server with a url")
            }
            servers.append(server)
        }
        return servers
    }

    /// Reads every path.
    mutating func paths() throws(OpenAPIProblem) -> [OpenAPIDocument.Path] {
        guard let value = tree.root["paths"] else {
            // From 3.1 on a document may have components or webhooks alone (OpenAPI 3.1.0 §4.8.1).
            if !tree.isOld, tree.root["components"] != nil || tree.root["webhooks"] != nil { return [] }
            throw OpenAPIProblem(at: "#/paths", "expected an object with the paths of the API")
        }
        guard value.isObject else {
            throw OpenAPIProblem(at: "#/paths", "expected an object with the paths of the API")
        }
        var paths: [OpenAPIDocument.Path] = []
        for member in try tree.members(value, "#/paths") where !member.name.hasPrefix("x-") {
            guard member.name.hasPrefix("/"), let template = PathTemplate(member.name) else {
                throw OpenAPIProblem(at: member.place, "expected a path such as /items/{id}")
            }
            let (item, place) = try tree.followed(member.value, member.place)
            guard item.isObject else { throw OpenAPIProblem(at: place, "expected an object, found \(item.kind)") }
            try take(item, at: place)
            let shared = try parameters(item["parameters"], "\(place)/parameters")
            let servers = try servers(item["servers"], "\(place)/servers")
            var path = OpenAPIDocument.Path(template: template, operations: [:], servers: servers)
            for method in OpenAPIReader.methods {
                guard let value = item[method] else { continue }
                let name = "\(method.uppercased()) \(member.name)"
                let operation = try operation(value, "\(place)/\(method)", name, shared)
                if let own = try self.servers(value["servers"], "\(place)/\(method)/servers") {
                    let operations = [method.uppercased(): operation]
                    paths.append(OpenAPIDocument.Path(template: template, operations: operations, servers: own))
                } else {
                    path.operations[method.uppercased()] = operation
                }
            }
            let isElsewhere = path.operations.isEmpty && paths.last?.template.source == template.source
            if !isElsewhere { paths.append(path) }
        }
        return paths
    }

    /// The names of the query parameters that carry credentials.
    func keyParameters() -> Set<String> {
        guard case .object(let schemes)? = tree.root["components"]?["securitySchemes"] else { return [] }
        return Set(
            schemes.compactMap { scheme in
                guard let (value, _) = try? tree.followed(scheme.value, "") else { return nil }
                return value["in"]?.string == "query" ? value["name"]?.string : nil
            }
        )
    }

    private mutating func operation(
        _ value: JSONValue,
        _ place: String,
        _ name: String,
        _ shared: [OpenAPIParameter]
    ) throws(OpenAPIProblem) -> OpenAPIOperation {
        guard value.isObject else { throw OpenAPIProblem(at: place, "expected an object, found \(value.kind)") }
        try take(value, at: place)
        var operation = OpenAPIOperation(name: name)
        let own = try parameters(value["parameters"], "\(place)/parameters")
        let names = Set(own.map(\.identity))
        work -= shared.count
        operation.parameters = own + shared.filter { !names.contains($0.identity) }
        if let body = value["requestBody"] {
            let (body, place) = try tree.followed(body, "\(place)/requestBody")
            try take(body, at: place)
            operation.body = try content(body["content"], "\(place)/content")
            operation.isBodyRequired = body["required"]?.boolean == true
        }
        for member in try tree.members(value["responses"], "\(place)/responses") where !member.name.hasPrefix("x-") {
            let status = member.name.uppercased() == "DEFAULT" ? "default" : member.name.uppercased()
            guard status == "default" || OpenAPIReader.isStatus(status) else {
                throw OpenAPIProblem(at: member.place, "expected a status such as 200, 4XX or default")
            }
            let (value, place) = try tree.followed(member.value, member.place)
            guard value.isObject else { throw OpenAPIProblem(at: place, "expected a response, found \(value.kind)") }
            try take(value, at: place)
            var response = OpenAPIResponse(status: status, body: try content(value["content"], "\(place)/content"))
            for field in try tree.members(value["headers"], "\(place)/headers")
            where field.name.lowercased() != "content-type" {
                let (value, place) = try tree.followed(field.value, field.place)
                let parameter = try parameter(value, place, name: field.name, location: .header)
                response.fields.append((field.name.lowercased(), parameter))
            }
            operation.responses[status] = response
        }
        return operation
    }

    private static func isStatus(_ text: String) -> Bool {
        guard text.utf8.count == 3, let first = text.utf8.first, (0x31...0x35).contains(first) else { return false }
        return text.hasSuffix("XX") || text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private mutating func content(_ value: JSONValue?, _ place: String) throws(OpenAPIProblem) -> OpenAPIContent? {
        var kinds: [OpenAPIContent.Kind] = []
        for member in try tree.members(value, place) {
            guard let type = MediaType(member.name), type.essence.contains("/") else {
                throw OpenAPIProblem(at: member.place, "expected a media type such as application/json")
            }
            try take(member.value, at: member.place)
            var kind = OpenAPIContent.Kind(range: type.essence, parameters: type.parameters)
            if let schema = member.value["schema"] {
                let number = try schemas.read(schema, "\(member.place)/schema")
                kind.schema = number
                kind.encodings = try encodings(member.value["encoding"], "\(member.place)/encoding", number)
            }
            kinds.append(kind)
        }
        return kinds.isEmpty ? nil : OpenAPIContent(kinds: kinds)
    }

    /// The encodings of a form's fields, by name (OpenAPI 3.0.3 §4.7.15).
    private mutating func encodings(
        _ value: JSONValue?,
        _ place: String,
        _ schema: Schema.Number
    ) throws(OpenAPIProblem) -> [String: OpenAPIParameter] {
        guard value != nil else { return [:] }
        var encodings: [String: OpenAPIParameter] = [:]
        let properties = schemas.table.parts(of: schema, work: &work).properties
        for member in try tree.members(value, place) {
            try take(member.value, at: member.place)
            let style = member.value["style"]?.string ?? "form"
            var field = OpenAPIParameter(
                name: member.name,
                location: .query,
                schema: properties[ExactText(member.name)],
                style: style,
                isExploded: member.value["explode"]?.boolean ?? (style == "form")
            )
            field.isJSON = MediaType(member.value["contentType"]?.string)?.isJSON == true
            field.takesMembers = field.schema.map { takesMembers($0) } ?? false
            encodings[member.name] = field
        }
        return encodings
    }

    /// Whether a schema accepts objects and nothing else.
    private mutating func takesMembers(_ schema: Schema.Number) -> Bool {
        schemas.table.kinds(of: schema, work: &work).subtracting(.null) == .object
    }

    private mutating func parameters(_ value: JSONValue?, _ place: String) throws(OpenAPIProblem) -> [OpenAPIParameter]
    {
        guard let value else { return [] }
        guard let elements = value.elements else {
            throw OpenAPIProblem(at: place, "expected a list of parameters, found \(value.kind)")
        }
        var parameters: [OpenAPIParameter] = []
        for (index, element) in elements.enumerated() {
            let (value, place) = try tree.followed(element, JSONPointer.child(index, of: place))
            guard let name = value["name"]?.string, let location = value["in"]?.string else {
                throw OpenAPIProblem(at: place, "expected a parameter with name and in")
            }
            guard let location = OpenAPIParameter.Location(rawValue: location) else {
                throw OpenAPIProblem(at: place, "a parameter is in path, query, header or cookie, not in \(location)")
            }
            // A document says these three elsewhere.
            if location == .header, ["accept", "content-type", "authorization"].contains(name.lowercased()) {
                continue
            }
            parameters.append(try parameter(value, place, name: name, location: location))
        }
        return parameters
    }

    private mutating func parameter(
        _ value: JSONValue,
        _ place: String,
        name: String,
        location: OpenAPIParameter.Location
    ) throws(OpenAPIProblem) -> OpenAPIParameter {
        try take(value, at: place)
        let style = value["style"]?.string ?? (location == .query || location == .cookie ? "form" : "simple")
        var parameter = OpenAPIParameter(
            name: name,
            location: location,
            isRequired: value["required"]?.boolean == true || location == .path,
            style: style,
            isExploded: value["explode"]?.boolean ?? (style == "form")
        )
        if let schema = value["schema"] {
            let number = try schemas.read(schema, "\(place)/schema")
            parameter.schema = number
            parameter.takesMembers = takesMembers(number)
            parameter.allowsEmptyValue = location == .query && value["allowEmptyValue"]?.boolean == true
        } else if let kind = try content(value["content"], "\(place)/content")?.kinds.first {
            parameter.isJSON = MediaType(kind.range)?.isJSON == true
            parameter.schema = parameter.isJSON ? kind.schema : nil
        }
        return parameter
    }
}
