/// The places that a path leads to.
extension JSONSpans {
    /// Values that are looked at for one path.
    private static let visitLimit = 4_000_000

    /// The values that some steps lead to from a value, each once and in the order of the text; `nil` where too many are looked at.
    func places(of steps: some Sequence<JSONPath.Step>, from root: Int) -> [Int]? {
        var found = [root]
        var visits = 0
        for step in steps {
            var next: [Int] = []
            var end = 0
            // What lies below a value that lies in another is found from that.
            let isBelow = if case .below = step { true } else { false }
            if isBelow { found.sort() }
            for node in found where !isBelow || node >= end {
                end = Int(nodes[node].next)
                go(step, from: node, into: &next, &visits)
                guard visits < JSONSpans.visitLimit else { return nil }
            }
            found = next
        }
        return found
    }

    private func go(_ step: JSONPath.Step, from node: Int, into found: inout [Int], _ visits: inout Int) {
        visits += 1
        switch (step, nodes[node].kind) {
        case (.name(let name), .object):
            var child = node + 1
            while child < nodes[node].next {
                if isNamed(child, name) { found.append(child) }
                visits += 1
                child = Int(nodes[child].next)
            }
        case (.index(let index), .array):
            let elements = children(of: node)
            visits += elements.count
            let place = index < 0 ? elements.count + index : index
            if elements.indices.contains(place) { found.append(elements[place]) }
        case (.any, .object), (.any, .array):
            let all = children(of: node)
            visits += all.count
            found += all
        case (.below(let name), .object), (.below(let name), .array):
            for inner in node + 1..<Int(nodes[node].next) where isNamed(inner, name) { found.append(inner) }
            visits += Int(nodes[node].next) - node
        default: break
        }
    }

    /// The last member of an object under a name, as most readers have it; `nil` where there is none, and for any other value.
    func member(_ name: String, of node: Int) -> Int? {
        guard nodes[node].kind == .object else { return nil }
        var found: Int?
        var child = node + 1
        while child < nodes[node].next {
            if isNamed(child, name) { found = child }
            child = Int(nodes[child].next)
        }
        return found
    }
}
