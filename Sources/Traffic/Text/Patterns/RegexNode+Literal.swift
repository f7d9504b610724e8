extension RegexNode {
    /// The longest run of bytes that every matching text contains once it is folded; empty where there is none.
    ///
    /// Only what must stand there counts: no branch of a choice, and nothing that may be repeated zero times.
    var literal: [UInt8] {
        var longest: [UInt8] = []
        var run: [UInt8] = []
        gather(&run, &longest)
        return run.count > longest.count ? run : longest
    }

    private func gather(_ run: inout [UInt8], _ longest: inout [UInt8]) {
        switch self {
        case .empty, .assertion: return
        case .set(let set):
            if let byte = set.foldedByte { return run.append(byte) }
        case .sequence(let parts):
            for part in parts { part.gather(&run, &longest) }
            return
        case .group(let part, _): return part.gather(&run, &longest)
        case .repeated(let part, let least, _, _) where least > 0:
            RegexNode.end(&run, &longest)
            part.gather(&run, &longest)
        case .choice, .repeated: break
        }
        RegexNode.end(&run, &longest)
    }

    private static func end(_ run: inout [UInt8], _ longest: inout [UInt8]) {
        if run.count > longest.count { longest = run }
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
