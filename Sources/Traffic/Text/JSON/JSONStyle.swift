/// The blanks with which an object or an array is written, so that what is put into it looks like the rest.
struct JSONStyle {
    /// Bytes of blanks; longer ones are left away, since they may stand before each of many members.
    private static let limitBytes = 200

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
        func stretch(_ range: Range<Int>, short: [UInt8] = []) -> [UInt8] {
            range.count <= JSONStyle.limitBytes ? Array(spans.bytes[range]) : short
        }
        lead = stretch(range.lowerBound + 1..<one.memberStart)
        trail = stretch(Int(end.end)..<range.upperBound - 1)
        colon = end.name.isEmpty ? [ASCII.colon] : stretch(Int(end.nameEnd)..<Int(end.start), short: [ASCII.colon])
        guard children.count > 1 else {
            separator = [ASCII.comma] + lead
            return
        }
        let before = Int(spans.nodes[children[children.count - 2]].end)
        separator = stretch(before..<end.memberStart, short: [ASCII.comma])
    }
}
