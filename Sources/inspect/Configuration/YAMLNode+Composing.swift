import Yams

extension YAMLNode {
    /// The document that a text is; `nil` for an empty one.
    ///
    /// A key that is an alias or holds one is refused before Yams reads it. Yams compares every key with all that stands behind its aliases,
    /// and ten lines of aliases of aliases make that longer than anybody waits. No option and no member of an OpenAPI document has such a key.
    ///
    /// - Throws: `YamlError`.
    static func compose(_ text: String) throws -> Node? {
        if let line = aliasKeyLine(text) {
            let problem = "a key is an alias, or holds one, at line \(line)"
            throw YamlError.reader(problem: problem, offset: nil, value: 0, yaml: text)
        }
        return try Yams.compose(yaml: text)
    }

    /// The line of the first key that may be an alias or hold one.
    ///
    /// A key without `?` stands on one line (YAML 1.2 §7.4.2), so there it is an alias, or a bracket behind one, with a colon behind that.
    /// Where a key with `?` ends is not looked for: every alias after one counts.
    private static func aliasKeyLine(_ text: String) -> Int? {
        var anchors: Set<ArraySlice<UInt8>> = []
        var isBehindMark = false
        for (number, line) in Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            var holdsAlias = false
            // The byte before, and the one before that is no blank; at the beginning of a line, a blank.
            var (last, lastShown): (UInt8, UInt8) = (0x20, 0x20)
            for (position, byte) in zip(line.indices, line) {
                let rest = line[(position + 1)...]
                switch byte {
                case UInt8(ascii: "&"): anchors.insert(rest.prefix(while: isNamed))
                case UInt8(ascii: "*") where isBlank(last) || "[{,:?-".utf8.contains(last):
                    let name = rest.prefix(while: isNamed)
                    guard !name.isEmpty, anchors.contains(name) else { break }
                    if isBehindMark || isBeforeColon(line[name.endIndex...]) { return number + 1 }
                    holdsAlias = true
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    if holdsAlias, isBeforeColon(rest) { return number + 1 }
                case UInt8(ascii: "?") where rest.first.map(isBlank) ?? true:
                    if isBlank(lastShown) || "[{,-?".utf8.contains(lastShown) { isBehindMark = true }
                default: break
                }
                last = byte
                if !isBlank(byte) { lastShown = byte }
            }
        }
        return nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    /// What libyaml takes in the name of an anchor.
    private static func isNamed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }

    private static func isBeforeColon(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.first { !isBlank($0) } == UInt8(ascii: ":")
    }
}
