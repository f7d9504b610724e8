extension RegexNode {
    /// The longest run of bytes that every matching text contains once it is folded; empty where there is none.
    var literal: [UInt8] { literals.reduce([]) { $1.count > $0.count ? $1 : $0 } }

    /// The runs of bytes that every matching text contains once it is folded, in their order.
    ///
    /// Only what must stand there counts: no branch of a choice, and nothing that may be repeated zero times.
    var literals: [[UInt8]] {
        var runs: [[UInt8]] = []
        var run: [UInt8] = []
        gather(&run, &runs)
        RegexNode.end(&run, &runs)
        return runs
    }

    private func gather(_ run: inout [UInt8], _ runs: inout [[UInt8]]) {
        switch self {
        case .empty, .assertion: return
        case .set(let set):
            if let byte = set.foldedByte { return run.append(byte) }
        case .sequence(let parts):
            for part in parts { part.gather(&run, &runs) }
            return
        case .group(let part, _): return part.gather(&run, &runs)
        case .repeated(let part, let least, _, _) where least > 0:
            RegexNode.end(&run, &runs)
            part.gather(&run, &runs)
        case .choice, .repeated: break
        }
        RegexNode.end(&run, &runs)
    }

    private static func end(_ run: inout [UInt8], _ runs: inout [[UInt8]]) {
        if !run.isEmpty { runs.append(run) }
        run = []
    }
}

extension ScalarSet {
    /// The ASCII byte that every scalar of the set folds to; `nil` when they fold to different ones, or to another.
    fileprivate var foldedByte: UInt8? {
        var byte: UInt8?
        for range in ranges {
            guard range.count <= 2 else { return nil }
            for value in range {
                guard let folded = Unicode.Scalar(value)?.properties.lowercaseMapping.utf8, folded.count == 1,
                    let first = folded.first, byte == nil || byte == first
                else { return nil }
                byte = first
            }
        }
        return byte
    }
}
