/// Finds secrets whose name is itself a value: `{"name":"password","value":"…"}` in either order, `["Cookie","sid=…"]`, and rows below the names of
/// their columns, `{"columns":["name","password"],"rows":[["ann","…"]]}`.
///
/// It walks through any text with the marks of JSON, whole or not, and never refuses one. The time is linear in the text's length: each value is
/// given at most once for a certain name, once for a doubtful name, once for the name before it in a list, and once for its columns. A text with rows
/// of secrets is walked through twice, because the rows may come before the names.
struct JSONPairs {
    /// The most objects and lists inside each other; a deeper value counts as a secret, because its name is not known.
    private static let depthLimit = 100_000
    /// The most bytes of a name in a list; a longer string is no name.
    private static let listNameLimit = 64
    private static let nameMembers: Set<String> = [
        "name", "key", "id", "field", "header", "property", "param", "parameter", "attribute", "variable", "k", "n",
        "label", "parameterkey", "parametername",
    ]
    private static let valueMembers: Set<String> = ["value", "values", "val", "v", "parametervalue"]

    /// An object or a list that has not ended.
    private struct Level {
        let isObject: Bool
        let start: Int
        /// The level of the nearest object around it, as part of one of whose values it counts.
        let owner: Int?
        /// The column of secrets that it stands in, together with everything inside it.
        let cell: SecretScanner.Label?
        /// How many names of columns were kept before it began.
        let namesBefore: Int
        var label: SecretScanner.Label?
        /// Its values under no doubtful name yet, and those that are no secrets under one, and so under none.
        var fresh = WaitingValues.Chain()
        var plain = WaitingValues.Chain()
        /// Where the first of its values is for which there was no room.
        var excessStart: Int?
        /// The member whose value comes next.
        var member: String?
        /// How many elements of the list have come.
        var count = 0
        /// The names of secrets among its elements, by their places, while all of these are names or objects.
        var names: [Int: SecretScanner.Label] = [:]
        var hasNamesOnly = true
        /// The columns of secrets in the rows that stand in it: in a list, or in the lists of an object.
        var columns: [Int: SecretScanner.Label] = [:]
        /// Whether it is an object with rows, which are lists in one of its lists.
        var hasRows = false
    }

    private let bytes: [UInt8]
    private var levels: [Level] = []
    private var waiting: WaitingValues
    /// How many open objects and lists are too deep to be kept, and where the outermost of these begins.
    private var deeper = 0
    private var deeperStart = 0
    private var pairs: [Pair] = []
    /// How many names of columns the open levels keep; the limit is that of pairs.
    private var nameCount = 0
    /// The columns of each object with rows that has ended, by the object's beginning, and how many columns these are; the limit is that of pairs.
    private var tables: [Int: [Int: SecretScanner.Label]] = [:]
    private var tableNameCount = 0
    /// The tables that an earlier walk found.
    private var known: [Int: [Int: SecretScanner.Label]] = [:]
    /// The place from which everything counts as one secret, because the text has more pairs than the limit.
    private var restStart: Int?

    private let strings: Strings
    /// The place of the first element where the text begins in a list; `nil` where it begins in an object, or is whole.
    private let listPlace: Int?
    /// Whether a string contained the end of a line, so that it may be no string.
    private(set) var hasLineInString = false
    /// Whether strings may have single quotation marks too, as Python and JavaScript print them.
    private let takesSingles: Bool
    /// The place up to which no string in single quotation marks ends in its line.
    private var plainEnd = 0

    /// The most pairs, and the most values that wait for a name; further secrets of the text are not told apart.
    private let limit: Int

    init(_ bytes: [UInt8], _ strings: Strings = .whole, listPlace: Int? = nil, takesSingles: Bool = false, limit: Int) {
        (self.bytes, self.strings, self.listPlace) = (bytes, strings, listPlace)
        (self.takesSingles, self.limit) = (takesSingles, limit)
        waiting = WaitingValues(limit: limit)
    }

    /// Finds all pairs.
    mutating func run() -> [Pair] {
        walk()
        guard !tables.isEmpty else { return pairs }
        let found = tables
        self = JSONPairs(bytes, strings, listPlace: listPlace, takesSingles: takesSingles, limit: limit)
        known = found
        walk()
        return pairs
    }

    private mutating func walk() {
        var index =
            switch strings {
            case .whole, .inLines, .cutBetween: 0
            case .cutBefore: stringEnd(0) + 1
            case .cutAtMark: (bytes.firstIndex(of: UInt8(ascii: "\"")) ?? bytes.count) + 1
            }
        while index < bytes.count {
            // What stands between the marks of a cut text may stand in an object or a list that began before the cut.
            if strings.isCut, levels.isEmpty, !"{[".utf8.contains(bytes[index]) { open(index, listPlace: listPlace) }
            switch bytes[index] {
            case ASCII.colon where listPlace != nil && levels.count == 1 && !levels[0].isObject:
                // What has a member is an object.
                index = bytes.count
            case UInt8(ascii: "{"), UInt8(ascii: "["): open(index)
            case UInt8(ascii: "}"), UInt8(ascii: "]"): close(index)
            case UInt8(ascii: ","): separate()
            case UInt8(ascii: ":") where !levels.isEmpty: word(before: index)
            case UInt8(ascii: "\"") where !levels.isEmpty:
                let end = stringEnd(index + 1)
                // A cut string is no name.
                let isWhole = strings != .inLines || end == bytes.count || bytes[end] == bytes[index]
                if isWhole || awaitsValue { string(index + 1..<end) }
                index = end
            case UInt8(ascii: "'") where takesSingles && !levels.isEmpty:
                guard let end = singleEnd(index) else { break }
                string(index + 1..<end)
                index = end
            case 0x30...0x39 where !levels.isEmpty, UInt8(ascii: "-") where !levels.isEmpty && isDigit(index + 1):
                let end = bytes[index...].firstIndex { !JSONPairs.isNumber($0) } ?? bytes.count
                value(index..<end, isString: false)
                index = end - 1
            default: break
            }
            index += 1
        }
        if deeper > 0 { hide(deeperStart..<bytes.count) }
        deeper = 0
        while !levels.isEmpty { close(bytes.count) }
        if let restStart, let pair = JSONPairs.secret(restStart..<bytes.count) { pairs.append(pair) }
    }

    // MARK: marks

    private mutating func open(_ index: Int, listPlace: Int? = nil) {
        guard levels.count < JSONPairs.depthLimit else {
            if deeper == 0 { deeperStart = index }
            deeper += 1
            return
        }
        let isObject = bytes[index] != UInt8(ascii: "[") && listPlace == nil
        if let last = levels.indices.last, !isObject, !levels[last].isObject {
            forgetNames()
            if last > 0 { levels[last - 1].hasRows = levels[last - 1].isObject }
        }
        levels.append(
            Level(
                isObject: isObject,
                start: index,
                owner: owner,
                cell: levels.last?.cell ?? columnLabels.first { !$0.isDoubtful },
                namesBefore: nameCount,
                count: listPlace ?? 0,
                columns: isObject ? known[index] ?? [:] : [:]
            )
        )
    }

    /// Takes the names in an ended level for names of columns: of the object around it, or of the lists after it where it is the first of them.
    ///
    /// A list of two elements may be a name and its value. The label of an object is a name in the list around it. The names in an object without
    /// rows go to the object around it, unless it is the body of a function. A table whose columns have no room is hidden.
    private mutating func name(by level: inout Level, endingAt place: Int) {
        var names = level.isObject ? level.columns : level.names
        // The level holds its columns and names no more, so both are moved and not copied.
        (level.columns, level.names) = ([:], [:])
        if level.hasRows, !names.isEmpty {
            guard tableNameCount + names.count <= limit else { return hide(level.start..<place) }
            tableNameCount += names.count
            tables[level.start] = names
        }
        guard let last = levels.indices.last else { return }
        if levels[last].isObject {
            let isMember = bytes[..<level.start].last { $0 > ASCII.space } == ASCII.colon
            if !level.isObject || isMember && !level.hasRows { merge(&names, into: last) }
        } else if level.isObject {
            if let label = level.label { name(label) }
        } else if levels[last].count == 0, level.count > 1, levels[last].columns.isEmpty {
            merge(&names, into: last)
        }
    }

    /// Adds names to the columns of a level, the smaller set to the larger, so that no name is moved often.
    private mutating func merge(_ names: inout [Int: SecretScanner.Label], into place: Int) {
        let count = levels[place].columns.count
        if names.count > count { swap(&names, &levels[place].columns) }
        levels[place].columns.merge(names) { $0.isDoubtful || $0.isCount && !$1.isDoubtful ? $1 : $0 }
        nameCount += levels[place].columns.count - count
    }

    /// Takes a name as the name of a column, at the current place of the list.
    private mutating func name(_ label: SecretScanner.Label) {
        guard let last = levels.indices.last, levels[last].hasNamesOnly, nameCount < limit else { return }
        nameCount += 1
        levels[last].names[levels[last].count] = label
    }

    /// Forgets the names in a list, because the list contains something else too.
    private mutating func forgetNames() {
        guard let last = levels.indices.last else { return }
        nameCount -= levels[last].names.count
        (levels[last].names, levels[last].hasNamesOnly) = ([:], false)
    }

    /// The names of the next element's column: by the first of the lists beside the row, and by the object around these lists.
    private var columnLabels: [SecretScanner.Label] {
        guard let last = levels.indices.last, last > 0, !levels[last].isObject, !levels[last - 1].isObject else {
            return []
        }
        let place = levels[last].count
        let outer = last > 1 && levels[last - 2].isObject ? levels[last - 2].columns[place] : nil
        return [levels[last - 1].columns[place], outer].compactMap { $0 }
    }

    private mutating func close(_ index: Int) {
        guard deeper == 0 else {
            deeper -= 1
            if deeper == 0 { hide(deeperStart..<index + 1) }
            return
        }
        guard var level = levels.popLast() else { return }
        end(level, at: index)
        nameCount = level.namesBefore
        name(by: &level, endingAt: min(index + 1, bytes.count))
    }

    private mutating func take(_ pair: Pair) {
        // Numbers under such a name are counts, and few values under a doubtful name are secrets.
        if pair.label.isCount, pair.value.isNumber { return }
        if pair.label.isDoubtful, !SecretKind.isMade(bytes[pair.value.range], inQuery: false) { return }
        guard pairs.count < limit else {
            restStart = min(restStart ?? pair.value.range.lowerBound, pair.value.range.lowerBound)
            return
        }
        pairs.append(pair)
    }

    /// Takes a range that is too deep, or beyond the limit, for one secret.
    private mutating func hide(_ range: Range<Int>) {
        if let pair = JSONPairs.secret(range) { take(pair) }
    }

    /// Gives the values of an object to its name, and the values that are no secrets under that name to the object further out.
    ///
    /// Where the room was too small, everything behind the last value that had room becomes one secret of that name, even of a doubtful name.
    private mutating func end(_ level: Level, at place: Int) {
        var (fresh, plain, excessStart) = (level.fresh, level.plain, level.excessStart)
        if level.isObject, let label = level.label {
            let left = give(fresh, to: label)
            if let start = excessStart { hide(start..<place) }
            if !label.isDoubtful {
                _ = give(plain, to: label)
                return
            }
            // A doubtful name makes no secret of a value that another doubtful name has left.
            (fresh, plain, excessStart) = (WaitingValues.Chain(), waiting.joined(plain, left), nil)
        }
        guard let owner = level.owner else {
            waiting.remove(fresh)
            waiting.remove(plain)
            return
        }
        levels[owner].fresh = waiting.joined(levels[owner].fresh, fresh)
        levels[owner].plain = waiting.joined(levels[owner].plain, plain)
        // An excess in a deeper level may begin before the owner's own.
        levels[owner].excessStart = [levels[owner].excessStart, excessStart].compactMap { $0 }.min()
    }

    /// Makes pairs of the values that are secrets under a name, and returns the others.
    private mutating func give(_ chain: WaitingValues.Chain, to label: SecretScanner.Label) -> WaitingValues.Chain {
        var (rest, left) = (chain, WaitingValues.Chain())
        while let value = waiting.removeFirst(of: &rest) {
            if !label.isDoubtful || SecretKind.isMade(bytes[value.range], inQuery: false) {
                take(Pair(value: value, label: label))
            } else {
                // There is room, because a value has just left.
                _ = waiting.append(value, to: &left)
            }
        }
        return left
    }

    private mutating func keep(_ value: WaitingValues.Value, for owner: Int) {
        let value = owner < levels.count - 1 ? inner(value) : value
        if !waiting.append(value, to: &levels[owner].fresh) {
            levels[owner].excessStart = levels[owner].excessStart ?? value.range.lowerBound
        }
    }

    /// A value as a part of the values of a name.
    private func inner(_ value: WaitingValues.Value) -> WaitingValues.Value {
        var value = value
        (value.isInner, value.hasName) = (true, levels.last?.isObject == true)
        return value
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

    /// Takes a word as the name of the string, number, list or object that follows, as in JavaScript and GraphQL.
    private mutating func word(before colon: Int) {
        guard deeper == 0, let last = levels.indices.last, levels[last].isObject, levels[last].member == nil,
            let next = bytes[(colon + 1)...].first(where: { $0 > ASCII.space }), "\"'[{-0123456789".utf8.contains(next),
            takesSingles || next != UInt8(ascii: "'")
        else { return }
        let word = bytes[..<colon].suffix(JSONPairs.listNameLimit)
        let start = word.lastIndex { !SecretScanner.isBase64URL($0) }.map { $0 + 1 } ?? word.startIndex
        if start < colon { levels[last].member = member(bytes[start..<colon]) }
    }

    private mutating func value(_ range: Range<Int>, isString: Bool) {
        guard deeper == 0, let last = levels.indices.last else { return }
        let value = WaitingValues.Value(range: range, isNumber: !isString)
        if let cell = levels[last].cell { take(Pair(value: inner(value), label: cell)) }
        if levels[last].isObject, isString, range.count <= SecretKind.nameLimit, let member = levels[last].member,
            JSONPairs.nameMembers.contains(member), let label = SecretScanner.Label(bytes[range])
        {
            levels[last].label = levels[last].label ?? label
            return
        }
        if let owner { keep(value, for: owner) }
        guard !levels[last].isObject else { return }
        // Lists of names and values have a name in each even place.
        if let label = levels[last].label, levels[last].count % 2 == 1 {
            // A word without digits and signs may be another name.
            let isWord = !bytes[range].contains { $0 < 0x41 && $0 != UInt8(ascii: "-") }
            take(Pair(value: value, label: label, isLocal: isWord))
        }
        for label in columnLabels { take(Pair(value: value, label: label, isLocal: !isString)) }
        let label = isString && range.count <= JSONPairs.listNameLimit ? SecretScanner.Label(bytes[range]) : nil
        levels[last].label = levels[last].count % 2 == 0 ? label : nil
        if let label { name(label) }
        if !isString { forgetNames() }
    }

    /// The level of the object whose value the next thing belongs to.
    private var owner: Int? {
        guard let last = levels.indices.last else { return nil }
        if levels[last].isObject, levels[last].member.map(JSONPairs.valueMembers.contains) == true { return last }
        return levels[last].owner
    }

    /// Whether a string that comes next is no name.
    private var awaitsValue: Bool { levels.last.map { !$0.isObject || $0.member != nil } ?? false }

    private func isDigit(_ index: Int) -> Bool { index < bytes.count && (0x30...0x39).contains(bytes[index]) }

    /// The end of a string that begins at an index: its quotation mark or the text's end, and the line's end where strings end in lines.
    private mutating func stringEnd(_ start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == ASCII.lineFeed || bytes[index] == ASCII.carriageReturn {
                hasLineInString = true
                if strings == .inLines { return index }
            }
            index += JSONPairs.width(bytes, at: index)
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
            index += JSONPairs.width(bytes, at: index)
        }
        plainEnd = index
        return nil
    }
}
