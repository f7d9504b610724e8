import Traffic

/// A document that follows its own references.
struct DocumentTree {
    /// The most references that lead to references.
    private static let referenceLimit = 50
    /// The most characters of a place: no real names are longer together, and each place below repeats them all.
    private static let placeLimit = 10_000

    let root: JSONValue
    /// Whether the document is OpenAPI 3.0, whose schemas are older: `nullable`, a truth value for `exclusiveMinimum`, nothing beside `$ref`.
    let isOld: Bool
    /// The root, at which references begin.
    private let top: DocumentNode

    /// Makes a tree of a document; its copies share the index.
    init(root: JSONValue, isOld: Bool) {
        (self.root, self.isOld) = (root, isOld)
        top = DocumentNode(root)
    }

    /// The pointer of a URI's fragment, its escapes undone (RFC 6901 §6).
    static func pointer(_ fragment: Substring) -> String {
        PercentCoding.wholeText(String(fragment)) ?? String(fragment)
    }

    /// The value that a reference within the document names, with its place.
    ///
    /// - Throws: `OpenAPIProblem` where there is none, or where it is in another file.
    private func named(_ reference: String, from place: String) throws(OpenAPIProblem) -> (
        value: JSONValue, place: String
    ) {
        guard reference.hasPrefix("#") else {
            throw OpenAPIProblem(
                at: place,
                "$ref to \(reference) is in another file, which is not supported; bundle them into one"
            )
        }
        let found = "#" + DocumentTree.pointer(reference.dropFirst())
        guard found == "#" || found.hasPrefix("#/") else {
            throw OpenAPIProblem(at: place, "$ref to \(reference) names an anchor, which only schemas have")
        }
        return try node(at: found, from: place)
    }

    /// The value at a place of the document.
    ///
    /// - Parameters:
    ///   - found: the place, such as `#/components/schemas/Facility`.
    ///   - place: the place of the reference.
    /// - Returns: the value, with the place that every reference to it gives it.
    /// - Throws: `OpenAPIProblem` where there is none.
    func node(at found: String, from place: String) throws(OpenAPIProblem) -> (value: JSONValue, place: String) {
        var node = top
        // The values on the way keep no places: on a long way each would be as long as the way.
        var own = SchemaNames.document
        for part in found.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            let name = DocumentTree.name(part)
            guard let next = node.child(name) else {
                throw OpenAPIProblem(at: place, "$ref to \(found) leads nowhere: there is no \(name)")
            }
            node = next
            own += JSONPointer.child(name)
        }
        return (node.value, own)
    }

    /// The name of a part of a pointer, its escapes undone (RFC 6901 §4).
    ///
    /// Works byte by byte, since a sign with an accent after it is another Character.
    private static func name(_ part: Substring.UTF8View) -> String {
        var name: [UInt8] = []
        var isEscaped = false
        for byte in part {
            switch byte {
            case UInt8(ascii: "0") where isEscaped: break
            case UInt8(ascii: "1") where isEscaped: name[name.count - 1] = UInt8(ascii: "/")
            default: name.append(byte)
            }
            isEscaped = byte == UInt8(ascii: "~")
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// A value with its place, or the value that it refers to with that value's place; for every value that is no schema.
    func followed(_ value: JSONValue, _ place: String) throws(OpenAPIProblem) -> (value: JSONValue, place: String) {
        var (value, place) = (value, place)
        for _ in 0..<DocumentTree.referenceLimit {
            guard let reference = value["$ref"]?.string else { return (value, place) }
            (value, place) = try named(reference, from: place)
        }
        throw OpenAPIProblem(at: place, "$ref leads round in a circle")
    }

    /// The members of an object; empty where the object is missing.
    func members(
        _ value: JSONValue?,
        _ place: String
    ) throws(OpenAPIProblem) -> some Sequence<(name: String, value: JSONValue, place: String)> {
        var members: [(name: String, value: JSONValue)] = []
        if let value {
            guard case .object(let found) = value else {
                throw OpenAPIProblem(at: place, "expected an object, found \(value.kind)")
            }
            members = found
        }
        guard place.utf8.count <= DocumentTree.placeLimit else {
            throw OpenAPIProblem(at: "\(place.prefix(100))…", "the names on the way here are too long")
        }
        // Makes one place at a time: all places together may be much longer than the document.
        return members.lazy.map { (name: $0.name, value: $0.value, place: JSONPointer.child($0.name, of: place)) }
    }
}
