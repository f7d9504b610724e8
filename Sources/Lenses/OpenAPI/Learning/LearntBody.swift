import Traffic

/// The common form of the bodies of one media type.
struct LearntBody: Sendable {
    private var json = LearntSchema()
    private var form = LearntFields()
    /// Whether a body could not be read, so that nothing can be said of all.
    private var isOpen = false
    private var example: JSONValue?

    /// Adds a body.
    ///
    /// - Parameters:
    ///   - body: the decoded body.
    ///   - type: its media type.
    ///   - mask: the mask of the example.
    ///   - room: how many more places may be learnt.
    mutating func add(_ body: CapturedBody, of type: MediaType?, _ mask: ExampleMask, room: inout Int) {
        guard !isOpen else { return }
        guard let type, body.problem == nil else {
            isOpen = true
            return
        }
        if type.essence == "application/x-www-form-urlencoded" {
            form.add(QueryString.items(form: body.text))
            isOpen = form.isOpen
        } else if type.isJSON, !OpenAPICheck.isSequence(type), let value = try? body.strictJSON() {
            json.add(value, room: &room)
            if example == nil { example = mask.example(value) }
        } else {
            isOpen = true
        }
    }

    mutating func join(_ other: LearntBody) {
        json.join(other.json)
        form.join(other.form)
        isOpen = isOpen || other.isOpen || form.isOpen
        example = example ?? other.example
    }

    /// The names of the members, or of the members of its elements.
    var names: [String] { Array((json.elements.first ?? json).members.keys) }

    /// The body as a media type object.
    func document(_ mask: ExampleMask) -> JSONValue {
        guard !isOpen else { return .object([]) }
        if form.count > 0 { return .object([("schema", form.schema(mask))]) }
        return .object([("schema", json.document(mask))] + (example.map { [("example", $0)] } ?? []))
    }
}
