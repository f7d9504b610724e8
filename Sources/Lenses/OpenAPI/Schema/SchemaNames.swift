import Foundation
import Traffic

/// The names of a document's schemas besides their places: `$id`, `$anchor` and `$dynamicAnchor` (JSON Schema Core §8.2).
///
/// A schema with an `$id`, and the document itself, is a resource: references in it are relative to it, and anchors are names in it.
struct SchemaNames {
    /// The URI of a document that names none, so that relative names in it can be told apart.
    private static let nameless = "https://document.invalid/"
    /// The keywords whose values are no schemas, whatever is in them.
    private static let values: Set = ["enum", "const", "default", "example", "examples"]
    /// The keywords whose values have schemas, or objects of OpenAPI, under freely chosen names.
    private static let maps: Set = [
        "properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "schemas", "responses",
        "parameters", "headers", "requestBodies", "callbacks", "pathItems",
    ]
    /// The most characters of all kept places together: each place repeats the names of those around it.
    private static let placesLimit = 16 << 20
    /// The place of the document.
    static let document = "#"

    /// A name within a resource.
    private struct Anchor: Hashable {
        let resource: String
        let name: String
    }

    /// A name that schemas of several resources have for dynamic references.
    struct DynamicName {
        let text: String
        /// The schemas' places, by their resources.
        let places: [String: String]
        /// The set of all places.
        fileprivate let all: Set<String>
        /// Whether one of the resources has the name twice.
        let isRepeated: Bool
    }

    /// The whole URIs of resources, by their places.
    private var uris = [SchemaNames.document: SchemaNames.nameless]
    /// The places of resources, by their whole URIs.
    private var resources = [SchemaNames.nameless: SchemaNames.document]
    private var anchors: [Anchor: String] = [:]
    /// The dynamic anchors that more than one resource has, by their names.
    private var dynamicNames: [String: DynamicName] = [:]
    /// The URIs that two schemas have, which therefore name none.
    private var repeatedURIs: Set<String> = []
    private var repeatedAnchors: Set<Anchor> = []
    /// The characters of places that may still be kept.
    private var placesLeft = SchemaNames.placesLimit

    /// Makes an empty set of names.
    init() {}

    /// Collects the names in a document.
    init(_ root: JSONValue) {
        var path: [String] = []
        var dynamic: [String: [String: String]] = [:]
        collect(root, &path, in: SchemaNames.document, isMap: false, &dynamic)
        for (name, places) in dynamic where places.count > 1 {
            let isRepeated = places.keys.contains { repeatedAnchors.contains(Anchor(resource: $0, name: name)) }
            dynamicNames[name] = DynamicName(
                text: name,
                places: places,
                all: Set(places.values),
                isRepeated: isRepeated
            )
        }
    }

    private mutating func collect(
        _ value: JSONValue,
        _ path: inout [String],
        in resource: String,
        isMap: Bool,
        _ dynamic: inout [String: [String: String]]
    ) {
        switch value {
        case .object(let members):
            let resource = isMap ? resource : name(value, path, in: resource, &dynamic)
            for member in members where isMap || !SchemaNames.values.contains(member.name) {
                path.append(member.name)
                let isMap = !isMap && SchemaNames.maps.contains(member.name)
                collect(member.value, &path, in: resource, isMap: isMap, &dynamic)
                path.removeLast()
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                path.append("\(index)")
                collect(element, &path, in: resource, isMap: false, &dynamic)
                path.removeLast()
            }
        default: break
        }
    }

    /// Notes the names of what may be a schema, the places of those for dynamic references by name and resource; the resource that it is in, or is.
    private mutating func name(
        _ value: JSONValue,
        _ path: [String],
        in resource: String,
        _ dynamic: inout [String: [String: String]]
    ) -> String {
        var resource = resource
        if let id = value["$id"]?.string, !id.isEmpty, !id.hasPrefix("#"),
            let uri = SchemaNames.resolved(id, by: uris[resource] ?? SchemaNames.nameless)
        {
            guard let own = takePlace(path) else { return resource }
            resource = own
            uris[resource] = uri
            if resources.updateValue(resource, forKey: uri) != nil { repeatedURIs.insert(uri) }
        }
        for keyword in ["$anchor", "$dynamicAnchor"] {
            guard let name = value[keyword]?.string else { continue }
            guard let place = takePlace(path) else { return resource }
            let anchor = Anchor(resource: resource, name: name)
            if let before = anchors.updateValue(place, forKey: anchor), before != place {
                repeatedAnchors.insert(anchor)
            }
            if keyword == "$dynamicAnchor" { dynamic[name, default: [:]][resource] = place }
        }
        return resource
    }

    /// Makes a place to keep; `nil` where all kept places together have become too long.
    private mutating func takePlace(_ path: [String]) -> String? {
        guard placesLeft >= 0 else { return nil }
        placesLeft -= path.reduce(0) { $0 + 1 + $1.utf8.count }
        guard placesLeft >= 0 else { return nil }
        return path.reduce(SchemaNames.document) { JSONPointer.child($1, of: $0) }
    }

    /// An absolute URI, without its fragment.
    private static func resolved(_ text: String, by base: String) -> String? {
        let bare = String(text.prefix { $0 != "#" })
        return bare.isEmpty ? base : URL(string: bare, relativeTo: URL(string: base))?.absoluteString
    }

    /// Finds the target of a reference; `nil` where that is outside the document, or a name that no schema has, or more than one.
    ///
    /// - Parameters:
    ///   - reference: a URI, absolute or relative.
    ///   - place: the place of the reference.
    /// - Returns: a place such as `#/components/schemas/Facility`.
    func place(of reference: String, from place: String) -> String? {
        // A name that was not noted may be the name that is meant.
        guard placesLeft >= 0, let resource = resource(of: reference, from: place) else { return nil }
        let fragment = reference.drop { $0 != "#" }.dropFirst()
        if fragment.isEmpty || fragment.hasPrefix("/") { return resource + DocumentTree.pointer(fragment) }
        let anchor = Anchor(resource: resource, name: String(fragment))
        return repeatedAnchors.contains(anchor) ? nil : anchors[anchor]
    }

    /// The resource that a reference leads into.
    private func resource(of reference: String, from place: String) -> String? {
        let own = resource(of: place)
        if reference.isEmpty || reference.hasPrefix("#") { return own }
        guard let uri = SchemaNames.resolved(reference, by: uris[own] ?? SchemaNames.nameless) else { return nil }
        return repeatedURIs.contains(uri) ? nil : resources[uri]
    }

    /// The resource that a place is in: the nearest schema around it that is a resource.
    func resource(of place: String) -> String {
        guard uris.count > 1 else { return SchemaNames.document }
        var around = Substring(place)
        while uris[String(around)] == nil, let slash = around.utf8.lastIndex(of: UInt8(ascii: "/")) {
            around = around[..<slash]
        }
        return String(around)
    }

    /// The name by which a dynamic reference leads to one of several schemas; `nil` for an ordinary reference.
    ///
    /// - Parameters:
    ///   - reference: the reference's text.
    ///   - place: the place that it leads to by its text.
    /// - Returns: the name, with its places.
    func dynamicName(of reference: String, at place: String) -> DynamicName? {
        let name = dynamicNames[String(reference.drop { $0 != "#" }.dropFirst())]
        return name?.all.contains(place) == true ? name : nil
    }
}
