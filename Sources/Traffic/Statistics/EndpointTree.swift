/// Endpoints learnt from the traffic: paths whose changing segments are left open.
///
/// A segment that looks like an identifier is `{id}`. Where more than `valueLimit` values follow the same beginning, they become one segment `{…}`,
/// so a million different paths make few endpoints and take little memory.
package struct EndpointTree: Sendable {
    /// Different segments in one place.
    package static let valueLimit = 40
    /// Segments of a path; all that follow count as one.
    static let depthLimit = 12

    private(set) var figures = TrafficFigures()
    private var children: [String: EndpointTree] = [:]

    /// Counts an exchange under its path's segments.
    mutating func add(_ row: ExchangeSummary, _ segments: ArraySlice<String>) {
        guard let first = segments.first else { return figures.add(row) }
        var key = first
        if children[key] == nil, children.count >= EndpointTree.valueLimit || children["{…}"] != nil {
            if children["{…}"] == nil { merge() }
            key = "{…}"
        }
        children[key, default: EndpointTree()].add(row, segments.dropFirst())
    }

    /// Gives every endpoint that had a request, with its path.
    func each(_ path: String, _ give: (String, TrafficFigures) -> Void) {
        if figures.count > 0 { give(path.isEmpty ? "/" : path, figures) }
        for (segment, child) in children { child.each("\(path)/\(segment)", give) }
    }

    /// The path of the endpoint that these segments belong to, with its changing segments left open.
    func template(_ segments: ArraySlice<String>) -> String {
        guard let first = segments.first else { return "" }
        let key = children[first] == nil && children["{…}"] != nil ? "{…}" : first
        let rest = segments.dropFirst()
        return "/" + key + (children[key]?.template(rest) ?? rest.map { "/" + $0 }.joined())
    }

    /// The segments of a target's path, identifiers left open.
    static func segments(_ target: String) -> [String] {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let slash = UInt8(ascii: "/")
        let parts = path.split(separator: slash, maxSplits: depthLimit, omittingEmptySubsequences: false).dropFirst()
        return parts.map(Substring.init).map { isIdentifier($0) ? "{id}" : String($0.prefix(100)) }
    }

    /// Whether a segment is a number, a UUID, a digest, or a long mix of letters and digits.
    package static func isIdentifier(_ segment: Substring) -> Bool {
        let bytes = segment.utf8
        guard let first = bytes.first else { return false }
        let digits = bytes.count { (0x30...0x39).contains($0) }
        if digits == bytes.count { return true }
        let isHexadecimal = bytes.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x66).contains(ASCII.lower(byte)) || byte == UInt8(ascii: "-")
        }
        if isHexadecimal, bytes.count >= 8, digits > 0, first != UInt8(ascii: "-") { return true }
        return bytes.count >= 20 && digits >= 2 && !bytes.contains { ".-".utf8.contains($0) }
    }

    private mutating func merge() {
        var all = EndpointTree()
        for child in children.values { all.join(child) }
        children = ["{…}": all]
    }

    private mutating func join(_ other: EndpointTree) {
        figures.join(other.figures)
        for (segment, child) in other.children {
            if children[segment] == nil, children.count >= EndpointTree.valueLimit { merge() }
            children[children["{…}"] == nil ? segment : "{…}", default: EndpointTree()].join(child)
        }
    }
}
