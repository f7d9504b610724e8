/// Finds secrets whose name is a value itself: `{"name":"password","value":"…"}` in either order, and `["Cookie","sid=…"]`.
///
/// It walks through anything that has the marks of JSON, whole or not, and never refuses. Nearly linear in the text's length.
struct JSONPairs {
    /// A value that belongs to a name.
    struct Pair {
        let range: Range<Int>
        let label: SecretScanner.Label
        /// Whether it is a number, which a placeholder can only replace in quotation marks.
        let isNumber: Bool
        /// Whether a list may have it by chance, as one of names.
        let isLocal: Bool
    }

    /// Objects and lists inside of each other; what is deeper belongs to the last of them.
    private static let depthLimit = 10_000
    /// A longer string in a list is no name.
    private static let listNameLimit = 64
    private static let nameMembers: Set<String> = [
        "name", "key", "id", "field", "header", "property", "param", "parameter", "attribute", "variable", "k", "n",
    ]
    private static let valueMembers: Set<String> = ["value", "values", "val", "v"]

    /// A string or number, and whether it is a number.
    private typealias Value = (range: Range<Int>, isNumber: Bool)

    /// An object or a list that has not ended.
    private struct Level {
        let isObject: Bool
        /// The level of the nearest object to whose value it belongs, with all that is in it.
        let owner: Int?
        var label: SecretScanner.Label?
        var values: [Value] = []
        /// The member whose value comes next.
        var member: String?
        /// How many elements of a list came.
        var count = 0
    }

    private let bytes: [UInt8]
    private var levels: [Level] = []
    /// Objects and lists that have not ended and were too deep to be kept.
    private var deeper = 0
    private var pairs: [Pair] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Finds all, each once.
    mutating func run() -> [Pair] {
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open(isObject: bytes[index] == UInt8(ascii: "{"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): close()
            case UInt8(ascii: ","): separate()
            case UInt8(ascii: "\"") where !levels.isEmpty:
                let end = stringEnd(index + 1)
                string(index + 1..<end)
                index = end
            case 0x30...0x39 where !levels.isEmpty:
                let end = bytes[index...].firstIndex { !JSONPairs.isNumber($0) } ?? bytes.count
                value(index..<end, isString: false)
                index = end - 1
            default: break
            }
            index += 1
        }
        deeper = 0
        while !levels.isEmpty { close() }
        return pairs
    }

    // MARK: marks

    private mutating func open(isObject: Bool) {
        guard levels.count < JSONPairs.depthLimit else {
            deeper += 1
            return
        }
        levels.append(Level(isObject: isObject, owner: owner))
    }

    private mutating func close() {
        guard deeper == 0 else {
            deeper -= 1
            return
        }
        guard let level = levels.popLast() else { return }
        if level.isObject, let label = level.label {
            pairs += level.values.map { Pair(range: $0.range, label: label, isNumber: $0.isNumber, isLocal: false) }
            if !label.isDoubtful { return }
        }
        // What has no name here may have one further out.
        if let owner = level.owner { give(level.values, to: owner) }
    }

    /// Moves the fewer to the more, so that depth does not multiply what there is to do.
    private mutating func give(_ values: [Value], to owner: Int) {
        if values.count <= levels[owner].values.count {
            levels[owner].values += values
        } else {
            let fewer = levels[owner].values
            levels[owner].values = values
            levels[owner].values += fewer
        }
    }

    private mutating func separate() {
        guard deeper == 0, let last = levels.indices.last else { return }
        levels[last].member = nil
        levels[last].count += 1
    }

    private mutating func string(_ range: Range<Int>) {
        guard let last = levels.indices.last else { return }
        if levels[last].isObject, levels[last].member == nil {
            levels[last].member = range.count <= JSONPairs.listNameLimit ? member(bytes[range]) : ""
        } else {
            value(range, isString: true)
        }
    }

    /// A member's name in lower case, its escapes undone.
    private func member(_ name: ArraySlice<UInt8>) -> String {
        let isEscaped = name.contains(UInt8(ascii: "\\"))
        let plain = isEscaped ? DecodedPiece.spellings(of: Array(name)).last ?? [] : Array(name)
        return String(decoding: plain.map(ASCII.lower), as: UTF8.self)
    }

    private mutating func value(_ range: Range<Int>, isString: Bool) {
        guard let last = levels.indices.last else { return }
        if levels[last].isObject {
            if isString, range.count <= SecretKind.nameLimit, let member = levels[last].member,
                JSONPairs.nameMembers.contains(member), let label = SecretScanner.Label(bytes[range])
            {
                levels[last].label = levels[last].label ?? label
            } else if let owner {
                levels[owner].values.append((range, !isString))
            }
            return
        }
        if let owner { levels[owner].values.append((range, !isString)) }
        // Lists of names and values have a name in each even place.
        if let label = levels[last].label, levels[last].count % 2 == 1 {
            // A word without digits and signs may be another name.
            let isWord = !bytes[range].contains { $0 < 0x41 && $0 != UInt8(ascii: "-") }
            pairs.append(Pair(range: range, label: label, isNumber: !isString, isLocal: isWord))
        }
        let isName = isString && range.count <= JSONPairs.listNameLimit && levels[last].count % 2 == 0
        levels[last].label = isName ? SecretScanner.Label(bytes[range]) : nil
    }

    /// The level of the object to whose value belongs what comes next.
    private var owner: Int? {
        guard let last = levels.indices.last else { return nil }
        if levels[last].isObject, levels[last].member.map(JSONPairs.valueMembers.contains) == true { return last }
        return levels[last].owner
    }

    private static func isNumber(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte)
    }

    /// Where a string ends that begins at an index: at its quotation mark, or with the text.
    private func stringEnd(_ start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, bytes.count)
    }
}
