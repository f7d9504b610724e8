import Foundation
import Traffic

/// A document as it was read, with its references followed.
struct DocumentTree {
    /// References that lead to references.
    private static let referenceLimit = 50

    let root: JSONValue
    /// Whether it is OpenAPI 3.0, whose schemas are of an older kind: `nullable`, a truth value for `exclusiveMinimum`, nothing beside `$ref`.
    let isOld: Bool

    /// The value that a reference within the document names (RFC 6901 in a fragment).
    ///
    /// - Throws: `OpenAPIProblem` where there is none, or where it is in another file.
    func value(at reference: String, from place: String) throws(OpenAPIProblem) -> JSONValue {
        guard reference.hasPrefix("#") else {
            throw OpenAPIProblem(
                at: place,
                "$ref to \(reference) is in another file, which is not supported; bundle them into one"
            )
        }
        let path = reference.dropFirst()
        guard path.isEmpty || path.first == "/" else {
            throw OpenAPIProblem(at: place, "$ref to \(reference) names an anchor, which is not supported")
        }
        var value = root
        for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = (part.removingPercentEncoding ?? String(part)).replacing("~1", with: "/").replacing(
                "~0",
                with: "~"
            )
            let next = value.elements.flatMap { list in Int(name).flatMap { list.indices.contains($0) ? list[$0] : nil }
            }
            guard let next = next ?? value[name] else {
                throw OpenAPIProblem(at: place, "$ref to \(reference) leads nowhere: there is no \(name)")
            }
            value = next
        }
        return value
    }

    /// A value with its place, or what it refers to with that place: for everything that is no schema.
    func followed(_ value: JSONValue, _ place: String) throws(OpenAPIProblem) -> (value: JSONValue, place: String) {
        var (value, place) = (value, place)
        for _ in 0..<DocumentTree.referenceLimit {
            guard let reference = value["$ref"]?.string else { return (value, place) }
            value = try self.value(at: reference, from: place)
            place = reference
        }
        throw OpenAPIProblem(at: place, "$ref leads round in a circle")
    }

    /// The members of an object; none where it is not there.
    func members(
        _ value: JSONValue?,
        _ place: String
    ) throws(OpenAPIProblem) -> [(name: String, value: JSONValue, place: String)] {
        guard let value else { return [] }
        guard case .object(let members) = value else {
            throw OpenAPIProblem(at: place, "expected an object, found \(value.kind)")
        }
        return members.map { ($0.name, $0.value, JSONPointer.child($0.name, of: place)) }
    }
}
