import Foundation

/// A tree of secrets by the bytes that they share, each with its placeholder.
///
/// The longest secret at a place of a text is found by one walk down the tree, no longer than that secret, however many secrets begin alike.
struct SecretTree {
    /// The least bytes of a secret; the tree has a root for each beginning of this length, so that most places of a text need one look.
    static let leastBytes = 8

    private struct Node {
        /// The bytes between the node above and this one.
        var edge: ArraySlice<UInt8>
        /// The placeholder of the secret that ends here.
        var name: [UInt8]?
        /// The nodes below, by their first byte.
        var below: [UInt8: Int] = [:]
    }

    private var roots: [UInt64: Int] = [:]
    private var nodes: [Node] = []

    var isEmpty: Bool { nodes.isEmpty }

    /// Whether a secret is in the tree.
    func contains(_ secret: [UInt8]) -> Bool {
        guard let root = roots[SecretTree.start(secret[...])] else { return false }
        return longest(secret, 0, root)?.end == secret.count
    }

    /// Adds a secret of at least `leastBytes`; a known secret keeps its name.
    mutating func insert(_ secret: [UInt8], as name: [UInt8]) {
        var rest = secret[...].dropFirst(SecretTree.leastBytes)
        let start = SecretTree.start(secret[...])
        guard var index = roots[start] else {
            roots[start] = nodes.count
            nodes.append(Node(edge: rest, name: name))
            return
        }
        while true {
            let edge = nodes[index].edge
            let shared = zip(edge, rest).prefix { $0 == $1 }.count
            if shared < edge.count { split(index, at: shared) }
            rest = rest.dropFirst(shared)
            guard let next = rest.first else {
                nodes[index].name = nodes[index].name ?? name
                return
            }
            guard let below = nodes[index].below[next] else {
                nodes[index].below[next] = nodes.count
                nodes.append(Node(edge: rest, name: name))
                return
            }
            index = below
        }
    }

    /// The places of secrets in a text, the longest at each place, without overlaps.
    func occurrences(in bytes: [UInt8]) -> [(range: Range<Int>, name: [UInt8])] {
        guard !isEmpty, bytes.count >= SecretTree.leastBytes else { return [] }
        var found: [(range: Range<Int>, name: [UInt8])] = []
        var index = 0
        var start = SecretTree.start(bytes[...])
        while index + 8 <= bytes.count {
            if let root = roots[start], let hit = longest(bytes, index, root) {
                found.append((index..<hit.end, hit.name))
                index = hit.end
                start = SecretTree.start(bytes[index...])
                continue
            }
            index += 1
            if index + 8 <= bytes.count { start = start << 8 | UInt64(bytes[index + 7]) }
        }
        return found
    }

    // MARK: steps

    private func longest(_ bytes: [UInt8], _ start: Int, _ root: Int) -> (end: Int, name: [UInt8])? {
        var found: (end: Int, name: [UInt8])?
        var place = start + SecretTree.leastBytes
        var index = root
        while true {
            let edge = nodes[index].edge
            guard SecretTree.goesOn(bytes, place, edge) else { return found }
            place += edge.count
            if let name = nodes[index].name { found = (place, name) }
            guard place < bytes.count, let next = nodes[index].below[bytes[place]] else { return found }
            index = next
        }
    }

    /// Whether a text has the bytes of an edge at a place.
    private static func goesOn(_ bytes: [UInt8], _ place: Int, _ edge: ArraySlice<UInt8>) -> Bool {
        guard edge.count <= bytes.count - place else { return false }
        return bytes.withUnsafeBytes { text in
            edge.withUnsafeBytes { edge in
                guard let start = text.baseAddress, let wanted = edge.baseAddress else { return true }
                return memcmp(start + place, wanted, edge.count) == 0
            }
        }
    }

    /// Puts a node in the middle of an edge.
    private mutating func split(_ index: Int, at count: Int) {
        var lower = nodes[index]
        lower.edge = lower.edge.dropFirst(count)
        let upper = Node(
            edge: nodes[index].edge.prefix(count),
            below: lower.edge.first.map { [$0: nodes.count] } ?? [:]
        )
        nodes[index] = upper
        nodes.append(lower)
    }

    private static func start(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.prefix(leastBytes).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
