/// The blanks with which an object or an array is written, so that what is put into it looks like the rest.
struct JSONStyle {
    /// Between two children, with the comma.
    let separator: [UInt8]
    /// Between a name and its value, with the colon.
    let colon: [UInt8]
    /// Before the first child, and behind the last.
    let lead: [UInt8]
    let trail: [UInt8]

    /// The style of an object or an array.
    init(of node: Int, in spans: JSONSpans) {
        let children = spans.children(of: node)
        let range = spans.nodes[node].range
        guard let first = children.first, let last = children.last else {
            (separator, colon, lead, trail) = ([ASCII.comma], [ASCII.colon], [], [])
            return
        }
        let (one, end) = (spans.nodes[first], spans.nodes[last])
        lead = Array(spans.bytes[range.lowerBound + 1..<one.memberStart])
        trail = Array(spans.bytes[Int(end.end)..<range.upperBound - 1])
        colon = end.name.isEmpty ? [ASCII.colon] : Array(spans.bytes[Int(end.nameEnd)..<Int(end.start)])
        guard children.count > 1 else {
            separator = [ASCII.comma] + lead
            return
        }
        separator = Array(spans.bytes[Int(spans.nodes[children[children.count - 2]].end)..<end.memberStart])
    }
}
