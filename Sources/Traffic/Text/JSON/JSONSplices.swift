/// Changes of a JSON text as stretches of bytes that take the place of others; all the other bytes stay.
struct JSONSplices {
    /// Bytes in the place of a range; an empty range stands between two bytes.
    private struct Splice {
        let range: Range<Int>
        let bytes: [UInt8]
    }

    /// Changes that others are compared with.
    private static let fewLimit = 20

    /// Bytes that may be put in.
    private static let limitBytes = 32 << 20

    private var splices: [Splice] = []
    /// Bytes that are put in.
    private var length = 0

    /// Whether so much would be put in that no more was taken.
    var isTooLong: Bool { length > JSONSplices.limitBytes }
    var isEmpty: Bool { splices.isEmpty && !isTooLong }

    /// Replaces a value.
    mutating func replace(_ range: Range<Int>, with bytes: [UInt8]) {
        length += bytes.count
        guard !isTooLong else { return }
        splices.append(Splice(range: range, bytes: bytes))
    }

    /// Whether other places of the text are to be looked for anew once these changes are made: there are none, they lie in what is replaced, or it
    /// would take long to see that they do not.
    func isAround(_ places: [Range<Int>]) -> Bool {
        guard !splices.isEmpty else { return false }
        guard !places.isEmpty, splices.count <= JSONSplices.fewLimit else { return true }
        return places.contains { place in splices.contains { $0.range.overlaps(place) } }
    }

    /// Takes members or elements out of an object or an array and puts others in; what stays keeps its bytes, commas and blanks.
    ///
    /// - Parameters:
    ///   - node: the object or the array.
    ///   - spans: the text.
    ///   - removed: the children that go.
    ///   - inserted: new children as texts without commas, each with the number of the child before which it stands, or of all children.
    mutating func rewrite(
        _ node: Int,
        of spans: JSONSpans,
        removing removed: Set<Int>,
        inserting inserted: [(place: Int, text: [UInt8])] = []
    ) {
        let children = spans.children(of: node)
        let kept = children.indices.filter { !removed.contains(children[$0]) }
        let style = JSONStyle(of: node, in: spans)
        guard !kept.isEmpty else {
            let texts = inserted.map(\.text)
            let inside = spans.nodes[node].range.dropFirst().dropLast()
            let joined = Array(texts.joined(separator: style.separator))
            replace(inside, with: texts.isEmpty ? [] : style.lead + joined + style.trail)
            return
        }
        remove(removed, children, spans)
        for (place, text) in inserted {
            if let before = kept.last(where: { $0 < place }) {
                let end = Int(spans.nodes[children[before]].end)
                replace(end..<end, with: style.separator + text)
            } else if let after = kept.first {
                let start = spans.nodes[children[after]].memberStart
                replace(start..<start, with: text + style.separator)
            }
        }
    }

    /// Takes children out, of which some stay: with the comma before them, or behind them where they stand first.
    private mutating func remove(_ removed: Set<Int>, _ children: [Int], _ spans: JSONSpans) {
        var lastKept: Int?
        var run: (first: Int, last: Int)?
        for child in children {
            guard !removed.contains(child) else {
                run = (run?.first ?? child, child)
                continue
            }
            if let run, lastKept == nil {
                replace(spans.nodes[run.first].memberStart..<spans.nodes[child].memberStart, with: [])
            } else if let run, let lastKept {
                replace(Int(spans.nodes[lastKept].end)..<Int(spans.nodes[run.last].end), with: [])
            }
            (lastKept, run) = (child, nil)
        }
        if let run, let lastKept {
            replace(Int(spans.nodes[lastKept].end)..<Int(spans.nodes[run.last].end), with: [])
        }
    }

    /// The text with the changes made; a change within a stretch that is replaced is left out.
    func applied(to bytes: [UInt8]) -> [UInt8] {
        let ordered = splices.enumerated().sorted { left, right in
            let (one, other) = (left.element.range, right.element.range)
            if one.lowerBound != other.lowerBound { return one.lowerBound < other.lowerBound }
            // What is put in at a place stands before what begins there.
            if one.isEmpty != other.isEmpty { return one.isEmpty }
            return one.upperBound == other.upperBound ? left.offset < right.offset : one.upperBound > other.upperBound
        }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var end = 0
        for (_, splice) in ordered where splice.range.lowerBound >= end {
            out += bytes[end..<splice.range.lowerBound]
            out += splice.bytes
            end = splice.range.upperBound
        }
        return out + bytes[end...]
    }
}
