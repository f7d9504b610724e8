import Traffic

/// A document as it was read, with its references followed.
struct DocumentTree {
    /// References that lead to references.
    private static let referenceLimit = 50
    /// Characters of a place: names that are longer together are nobody's, and each place below has them all.
    private static let placeLimit = 10_000

    let root: JSONValue
    /// Whether it is OpenAPI 3.0, whose schemas are of an older kind: `nullable`, a truth value for `exclusiveMinimum`, nothing beside `$ref`.
    let isOld: Bool
    /// Where references begin.
    private let top: DocumentNode

    /// A document; whoever copies it shares what was found in it.
    init(root: JSONValue, isOld: Bool) {
        (self.root, self.isOld) = (root, isOld)
        top = DocumentNode(root)
    }

    /// The pointer that a fragment is, escapes of the URI undone (RFC 6901 §6).
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

    /// What stands at a place of the document.
    ///
    /// - Parameters:
    ///   - found: the place, such as `#/components/schemas/Facility`.
    ///   - place: where it is referred to.
    /// - Returns: the value there, with its place as every other reference to it has it.
    /// - Throws: `OpenAPIProblem` where there is none.
    func node(at found: String, from place: String) throws(OpenAPIProblem) -> (value: JSONValue, place: String) {
        var node = top
        // No value on the way keeps its own: on a long way that would be its length for each of its steps.
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

    /// The name that a part of a pointer is, its escapes undone (RFC 6901 §4); byte by byte, since a sign with an accent behind it is another Character.
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

    /// A value with its place, or what it refers to with that place: for everything that is no schema.
    func followed(_ value: JSONValue, _ place: String) throws(OpenAPIProblem) -> (value: JSONValue, place: String) {
        var (value, place) = (value, place)
        for _ in 0..<DocumentTree.referenceLimit {
            guard let reference = value["$ref"]?.string else { return (value, place) }
            (value, place) = try named(reference, from: place)
        }
        throw OpenAPIProblem(at: place, "$ref leads round in a circle")
    }

    /// The members of an object; none where it is not there.
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
        // One place after the other: all of them together may be much longer than the document.
        return members.lazy.map { (name: $0.name, value: $0.value, place: JSONPointer.child($0.name, of: place)) }
    }
}
