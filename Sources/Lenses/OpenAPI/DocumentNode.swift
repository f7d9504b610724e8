import Traffic

/// A value of a document, with its members by name.
///
/// A document may have as many references as components, and a search of all components for each reference would be a product of the two. So the
/// members of an object are indexed once, when the first reference leads through it.
final class DocumentNode {
    let value: JSONValue
    /// The members of an object; empty for any other value.
    private lazy var members = DocumentNode.members(of: value)
    /// The nodes that references led through, by name or index.
    private var children: [ExactText: DocumentNode] = [:]

    init(_ value: JSONValue) { self.value = value }

    /// The member of a name, or the element of an index (RFC 6901 §4); `nil` where there is none.
    func child(_ name: String) -> DocumentNode? {
        let key = ExactText(name)
        if let known = children[key] { return known }
        guard let found = element(name) ?? members[key] else { return nil }
        let node = DocumentNode(found)
        children[key] = node
        return node
    }

    /// The element of an index, which has only one spelling, so that no element has two places.
    private func element(_ name: String) -> JSONValue? {
        guard let elements = value.elements, let index = Int(name), elements.indices.contains(index),
            "\(index)" == name
        else { return nil }
        return elements[index]
    }

    /// The last of members of one name counts, as everywhere; names are compared by their bytes (RFC 8259 §8.3).
    private static func members(of value: JSONValue) -> [ExactText: JSONValue] {
        guard case .object(let members) = value else { return [:] }
        return Dictionary(members.map { (ExactText($0.name), $0.value) }) { _, last in last }
    }
}
