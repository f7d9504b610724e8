import Foundation
import Traffic

/// The names that schemas of a document have besides their places: `$id`, `$anchor` and `$dynamicAnchor` (JSON Schema Core §8.2).
struct SchemaNames {
    /// What a document that names itself nothing is called, so that names relative to it can be told apart.
    private static let nameless = "https://document.invalid/"
    /// Members whose values are no schemas, whatever is in them.
    private static let values: Set = ["enum", "const", "default", "example", "examples"]

    /// The whole URIs of schemas with an `$id`, by place, and of the document.
    private var uris = ["#": SchemaNames.nameless]
    /// The places of the document, of schemas with an `$id` and of anchors, by their whole URIs.
    private var places = [SchemaNames.nameless: "#"]
    /// URIs that two schemas have, so that they name none.
    private var repeated: Set<String> = []
    /// How many schemas have a dynamic anchor of a name.
    private var dynamicCounts: [String: Int] = [:]

    /// No names.
    init() {}

    /// The names in a document.
    init(_ root: JSONValue) {
        var path: [String] = []
        collect(root, &path, in: SchemaNames.nameless)
    }

    private mutating func collect(_ value: JSONValue, _ path: inout [String], in base: String) {
        switch value {
        case .object(let members):
            var base = base
            if let id = value["$id"]?.string, !id.hasPrefix("#"), let uri = SchemaNames.resolved(id, by: base) {
                base = uri
                uris[SchemaNames.place(path)] = uri
                add(uri, path)
            }
            if let name = value["$anchor"]?.string { add("\(base)#\(name)", path) }
            if let name = value["$dynamicAnchor"]?.string {
                add("\(base)#\(name)", path)
                dynamicCounts[name, default: 0] += 1
            }
            for member in members where !SchemaNames.values.contains(member.name) {
                path.append(member.name)
                collect(member.value, &path, in: base)
                path.removeLast()
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                path.append("\(index)")
                collect(element, &path, in: base)
                path.removeLast()
            }
        default: break
        }
    }

    private mutating func add(_ uri: String, _ path: [String]) {
        if places.updateValue(SchemaNames.place(path), forKey: uri) != nil { repeated.insert(uri) }
    }

    private static func place(_ path: [String]) -> String { path.reduce("#") { JSONPointer.child($1, of: $0) } }

    /// A URI without its fragment, as a whole.
    private static func resolved(_ text: String, by base: String) -> String? {
        let bare = String(text.prefix { $0 != "#" })
        return bare.isEmpty ? base : URL(string: bare, relativeTo: URL(string: base))?.absoluteString
    }

    /// Finds what a reference leads to; `nil` where that is out of the document, or a name that nothing in it has.
    ///
    /// - Parameters:
    ///   - reference: a URI, whole or relative.
    ///   - place: where it stands.
    /// - Returns: a place such as `#/components/schemas/Facility`.
    func place(of reference: String, from place: String) -> String? {
        guard let uri = SchemaNames.resolved(reference, by: base(of: place)) else { return nil }
        let fragment = reference.drop { $0 != "#" }.dropFirst()
        if !fragment.isEmpty, !fragment.hasPrefix("/") { return named("\(uri)#\(fragment)") }
        return named(uri).map { $0 + fragment }
    }

    private func named(_ uri: String) -> String? { repeated.contains(uri) ? nil : places[uri] }

    /// The URI that what stands at a place is relative to: that of the nearest schema round it that has one.
    private func base(of place: String) -> String {
        var around = Substring(place)
        while true {
            if let uri = uris[String(around)] { return uri }
            guard let slash = around.utf8.lastIndex(of: UInt8(ascii: "/")) else { return SchemaNames.nameless }
            around = around[..<slash]
        }
    }

    /// Whether a dynamic reference leads to the same schema whichever way it was come to: no other has a dynamic anchor of its name.
    func isSettled(_ reference: String) -> Bool {
        let fragment = reference.drop { $0 != "#" }.dropFirst()
        return dynamicCounts[String(fragment), default: 0] <= 1
    }
}
