/// Finds secrets whose name is a value itself: `{"name":"password","value":"…"}` in either order, `["Cookie","sid=…"]`, and the rows below the names of
/// their columns, `{"columns":["name","password"],"rows":[["ann","…"]]}`.
///
/// It walks through anything that has the marks of JSON, whole or not, and never refuses. Linear in the text's length: each value is given out at most
/// once for a name that is a secret's for sure, once for a doubtful one, once for the name before it in a list, and once for its column.
struct JSONPairs {
    /// A value that belongs to a name.
    struct Pair {
        let range: Range<Int>
        let label: SecretScanner.Label
        /// Whether it is a number, which a placeholder can only replace in quotation marks.
        let isNumber: Bool
        /// Whether a list may have it by chance, as one of names.
        var isLocal = false
        /// Whether it stands somewhere in what belongs to the name, and whether it has a name of its own there.
        var isInner = false
        var hasName = false
    }

    /// Objects and lists inside of each other; all that is deeper is taken for a secret, as nobody can say what names it.
    private static let depthLimit = 100_000
    /// A longer string in a list is no name.
    private static let listNameLimit = 64
    private static let nameMembers: Set<String> = [
        "name", "key", "id", "field", "header", "property", "param", "parameter", "attribute", "variable", "k", "n",
        "label", "parameterkey", "parametername",
    ]
    private static let valueMembers: Set<String> = ["value", "values", "val", "v", "parametervalue"]

    /// A string or number that no name has been found for.
    private struct Value {
        let range: Range<Int>
        let isNumber: Bool
        /// Whether it stands deeper than the object that it waits for, and whether it has a name of its own there.
        let isInner: Bool
        let hasName: Bool
        /// The place of the value that follows it in its chain, -1 for none.
        var next: Int32 = -1
    }

    /// Values one after the other, by their places; two become one without a look at what is in them.
    private struct Chain {
        var first: Int32 = -1
        var last: Int32 = -1
    }

    /// An object or a list that has not ended.
    private struct Level {
        let isObject: Bool
        /// The level of the nearest object to whose value it belongs, with all that is in it.
        let owner: Int?
        var label: SecretScanner.Label?
        /// Its values under no doubtful name yet, and those that are no secrets under one, and so under none.
        var fresh = Chain()
        var plain = Chain()
        /// Where the first of its values is for which there was no room.
        var excessStart: Int?
        /// The member whose value comes next.
        var member: String?
        /// How many elements of a list came.
        var count = 0
        /// The names of secrets among its elements, by their places, while all of these are names or objects.
        var names: [Int: SecretScanner.Label] = [:]
        var hasNamesOnly = true
        /// The columns of secrets in the rows that stand in it: in a list, or in the lists of an object.
        var columns: [Int: SecretScanner.Label] = [:]
        /// Those of the row that it is itself: as the first of the lists beside it says, and as an object further out does.
        var row: [Int: SecretScanner.Label] = [:]
        var outerRow: [Int: SecretScanner.Label] = [:]
    }

    private let bytes: [UInt8]
    private var levels: [Level] = []
    private var values: [Value] = []
    /// Those that wait no more, whose places others may take.
    private var free = Chain()
    /// Objects and lists that have not ended and were too deep to be kept, and where the outermost of them begins.
    private var deeper = 0
    private var deeperStart = 0
    private var pairs: [Pair] = []
    /// How many names of columns came; no more are kept than pairs.
    private var nameCount = 0
    /// From where on all is taken for one secret, as there are more pairs than findings may be.
    private var restStart: Int?

    /// Whether strings may have single quotation marks too, as in what Python and JavaScript print.
    private let takesSingles: Bool
    /// Up to where no string in single quotation marks ends in its line.
    private var plainEnd = 0

    /// Pairs, and values that wait for a name, at most: no more secrets of one text are kept apart.
    private let limit: Int

    init(_ bytes: [UInt8], takesSingles: Bool = false, limit: Int) {
        (self.bytes, self.takesSingles, self.limit) = (bytes, takesSingles, limit)
    }

    /// Whether a text may have names or values in single quotation marks.
    static func mayHaveSingles(_ bytes: [UInt8]) -> Bool {
        bytes.indices.dropLast().contains { bytes[$0] == UInt8(ascii: "'") && ":,".utf8.contains(bytes[$0 + 1]) }
    }

    /// Finds all.
    mutating func run() -> [Pair] {
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): open(index)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): close(index)
            case UInt8(ascii: ","): separate()
            case UInt8(ascii: "\"") where !levels.isEmpty:
                let end = stringEnd(index + 1)
                string(index + 1..<end)
                index = end
            case UInt8(ascii: "'") where takesSingles && !levels.isEmpty:
                guard let end = singleEnd(index) else { break }
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
        if deeper > 0 { hide(deeperStart..<bytes.count) }
        while let level = levels.popLast() { end(level, at: bytes.count) }
        if let restStart, let pair = JSONPairs.secret(restStart..<bytes.count) { pairs.append(pair) }
        return pairs
    }

    // MARK: marks

    private mutating func open(_ index: Int) {
        guard levels.count < JSONPairs.depthLimit else {
            if deeper == 0 { deeperStart = index }
            deeper += 1
            return
        }
        var level = Level(isObject: bytes[index] == UInt8(ascii: "{"), owner: owner)
        if let last = levels.indices.last, !level.isObject, !levels[last].isObject {
            level.row = levels[last].columns
            if last > 0, levels[last - 1].isObject { level.outerRow = levels[last - 1].columns }
            (levels[last].names, levels[last].hasNamesOnly) = ([:], false)
        }
        levels.append(level)
    }

    /// Has the names in a list that has ended be those of columns: in the object that it stands in, or of the other lists where it is the first.
    ///
    /// A list of two may be a name and its value. What an object names is one of the names in its list.
    private mutating func name(by level: Level) {
        guard let last = levels.indices.last else { return }
        if level.isObject {
            if let label = level.label, !levels[last].isObject { name(label) }
        } else if levels[last].isObject {
            levels[last].columns.merge(level.names) { $0.isDoubtful || $0.isCount ? $1 : $0 }
        } else if levels[last].count == 0, level.count > 1, levels[last].columns.isEmpty {
            levels[last].columns = level.names
        }
    }

    /// Takes a name for that of a column, at the place that the list has come to.
    private mutating func name(_ label: SecretScanner.Label) {
        guard let last = levels.indices.last, levels[last].hasNamesOnly, nameCount < limit else { return }
        nameCount += 1
        levels[last].names[levels[last].count] = label
    }

    private mutating func close(_ index: Int) {
        guard deeper == 0 else {
            deeper -= 1
            if deeper == 0 { hide(deeperStart..<index + 1) }
            return
        }
        guard let level = levels.popLast() else { return }
        end(level, at: index)
        name(by: level)
    }

    private mutating func take(_ pair: Pair) {
        guard pairs.count < limit else {
            restStart = min(restStart ?? pair.range.lowerBound, pair.range.lowerBound)
            return
        }
        pairs.append(pair)
    }

    /// Takes what is too deep, or too much, for one secret.
    private mutating func hide(_ range: Range<Int>) {
        if let pair = JSONPairs.secret(range) { take(pair) }
    }

    private static func secret(_ range: Range<Int>) -> Pair? {
        let label = SecretScanner.Label(Array("secret".utf8)[...])
        return label.map { Pair(range: range, label: $0, isNumber: true, isLocal: true) }
    }

    /// Gives the values of an object to its name, and those that are no secrets under it to the object further out.
    ///
    /// Where there was no room for all, what is behind those that there was room for becomes one secret of that name, a doubtful one too.
    private mutating func end(_ level: Level, at place: Int) {
        var (fresh, plain, excessStart) = (level.fresh, level.plain, level.excessStart)
        if level.isObject, let label = level.label {
            let left = give(fresh, to: label)
            if let start = excessStart { hide(start..<place) }
            if !label.isDoubtful {
                _ = give(plain, to: label)
                return
            }
            // No doubtful name makes a secret of what another one made none of.
            (fresh, plain, excessStart) = (Chain(), joined(plain, left), nil)
        }
        guard let owner = level.owner else {
            free = joined(free, fresh)
            free = joined(free, plain)
            return
        }
        levels[owner].fresh = joined(levels[owner].fresh, fresh)
        levels[owner].plain = joined(levels[owner].plain, plain)
        // One deeper may have come before those of the owner itself.
        levels[owner].excessStart = [levels[owner].excessStart, excessStart].compactMap { $0 }.min()
    }

    /// Makes pairs of the values that are secrets under a name, and returns the others.
    private mutating func give(_ chain: Chain, to label: SecretScanner.Label) -> Chain {
        var left = Chain()
        var place = chain.first
        while place >= 0 {
            let value = values[Int(place)]
            let one = Chain(first: place, last: place)
            values[Int(place)].next = -1
            if !label.isDoubtful || SecretKind.isMade(bytes[value.range], inQuery: false) {
                var pair = Pair(range: value.range, label: label, isNumber: value.isNumber)
                (pair.isInner, pair.hasName) = (value.isInner, value.hasName)
                take(pair)
                free = joined(free, one)
            } else {
                left = joined(left, one)
            }
            place = value.next
        }
        return left
    }

    private mutating func joined(_ one: Chain, _ other: Chain) -> Chain {
        guard one.last >= 0 else { return other }
        guard other.first >= 0 else { return one }
        values[Int(one.last)].next = other.first
        return Chain(first: one.first, last: other.last)
    }

    private mutating func keep(_ range: Range<Int>, isNumber: Bool, for owner: Int) {
        let isInner = owner < levels.count - 1
        let hasName = isInner && levels.last?.isObject == true
        let value = Value(range: range, isNumber: isNumber, isInner: isInner, hasName: hasName)
        guard let place = room(for: value) else {
            levels[owner].excessStart = levels[owner].excessStart ?? range.lowerBound
            return
        }
        levels[owner].fresh = joined(levels[owner].fresh, Chain(first: place, last: place))
    }

    /// Puts a value into a place that is free; `nil` where none is.
    private mutating func room(for value: Value) -> Int32? {
        let place = free.first
        if place >= 0 {
            free.first = values[Int(place)].next
            if free.first < 0 { free.last = -1 }
            values[Int(place)] = value
            return place
        }
        guard values.count < limit else { return nil }
        values.append(value)
        return Int32(values.count - 1)
    }

    private mutating func separate() {
        guard deeper == 0, let last = levels.indices.last else { return }
        levels[last].member = nil
        levels[last].count += 1
    }

    private mutating func string(_ range: Range<Int>) {
        guard deeper == 0, let last = levels.indices.last else { return }
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
        guard deeper == 0, let last = levels.indices.last else { return }
        if levels[last].isObject {
            if isString, range.count <= SecretKind.nameLimit, let member = levels[last].member,
                JSONPairs.nameMembers.contains(member), let label = SecretScanner.Label(bytes[range])
            {
                levels[last].label = levels[last].label ?? label
            } else if let owner {
                keep(range, isNumber: !isString, for: owner)
            }
            return
        }
        if let owner { keep(range, isNumber: !isString, for: owner) }
        // Lists of names and values have a name in each even place.
        if let label = levels[last].label, levels[last].count % 2 == 1 {
            // A word without digits and signs may be another name.
            let isWord = !bytes[range].contains { $0 < 0x41 && $0 != UInt8(ascii: "-") }
            take(Pair(range: range, label: label, isNumber: !isString, isLocal: isWord))
        }
        let place = levels[last].count
        for case let label? in [levels[last].row[place], levels[last].outerRow[place]] where isString || !label.isCount
        {
            take(Pair(range: range, label: label, isNumber: !isString, isLocal: !isString))
        }
        let label = isString && range.count <= JSONPairs.listNameLimit ? SecretScanner.Label(bytes[range]) : nil
        levels[last].label = levels[last].count % 2 == 0 ? label : nil
        if let label { name(label) }
        if !isString { (levels[last].names, levels[last].hasNamesOnly) = ([:], false) }
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

    /// Where a string in single quotation marks ends that begins at an index; `nil` where none does, as at an apostrophe.
    private mutating func singleEnd(_ open: Int) -> Int? {
        guard open >= plainEnd, open > 0, bytes[open - 1] <= ASCII.space || "{[,:(".utf8.contains(bytes[open - 1])
        else {
            return nil
        }
        var index = open + 1
        while index < bytes.count, bytes[index] != ASCII.lineFeed {
            if bytes[index] == bytes[open] {
                let next = index + 1 < bytes.count ? bytes[index + 1] : ASCII.comma
                if next <= ASCII.space || ",:}])".utf8.contains(next) { return index }
            }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        plainEnd = index
        return nil
    }
}
