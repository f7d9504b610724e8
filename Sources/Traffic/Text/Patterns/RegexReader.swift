/// Reads a regular expression: literals, `.`, classes, groups, `|`, `* + ? {n,m}`, `^ $ \b \B`, `\d \w \s \p{Letter}` and their opposites.
///
/// Case is ignored unless the expression begins with `(?-i)`; with `(?s)` the dot takes line ends too. What would need backtracking (references to
/// groups, looking ahead or behind) is refused by name, so every expression that is taken matches in time proportional to the text.
struct RegexReader {
    /// What is wrong with a pattern, and at which of its characters, from 0.
    struct Problem: Error {
        var sentence: String
        var offset: Int
    }

    /// Characters of a pattern.
    static let limit = 1_000
    /// Groups within groups.
    private static let depthLimit = 50
    /// Groups that are remembered, as there are digits to name them.
    static let groupLimit = 9
    /// The greatest number in braces.
    private static let repeatLimit = 1_000

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var ignoresCase = true
    private var dotTakesLines = false
    /// Groups that have begun, in a pattern whose groups are remembered; `nil` in any other.
    private var groups: Int?

    private init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

    /// Reads a whole pattern.
    static func read(_ pattern: String) throws(Problem) -> RegexNode {
        var reader = RegexReader(pattern)
        return try reader.whole()
    }

    /// Reads a whole pattern whose matches are replaced: it minds case unless it begins with `(?i)`, and its groups are remembered.
    ///
    /// - Returns: the tree, in which the first nine groups stand, and how many groups these are.
    static func readReplaced(_ pattern: String) throws(Problem) -> (node: RegexNode, groups: Int) {
        var reader = RegexReader(pattern)
        reader.ignoresCase = false
        reader.groups = 0
        let node = try reader.whole()
        return (node, min(reader.groups ?? 0, groupLimit))
    }

    private mutating func whole() throws(Problem) -> RegexNode {
        guard scalars.count <= RegexReader.limit else {
            let limit = RegexReader.limit
            throw Problem(sentence: "a pattern has at most \(limit) characters", offset: limit)
        }
        try readFlags()
        let node = try choice(depth: 0)
        guard position == scalars.count else { throw problem("there is no ( that this ) closes") }
        return node
    }

    // MARK: structure

    private mutating func readFlags() throws(Problem) {
        while next(is: "("), at(1) == "?", let flag = at(2), flag == "i" || flag == "s" || flag == "-" {
            var isOn = true
            position += 2
            while let scalar = peek, scalar != ")" {
                switch scalar {
                case "-": isOn = false
                case "i": ignoresCase = isOn
                case "s": dotTakesLines = isOn
                default: throw problem("the only flags are i and s, as in (?-i)")
                }
                position += 1
            }
            guard take(")") else { throw problem("a ) is missing after the flags") }
        }
    }

    private mutating func choice(depth: Int) throws(Problem) -> RegexNode {
        guard depth <= RegexReader.depthLimit else { throw problem("groups lie too deep in one another") }
        var branches = [try sequence(depth: depth)]
        while take("|") { branches.append(try sequence(depth: depth)) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence(depth: Int) throws(Problem) -> RegexNode {
        var parts: [RegexNode] = []
        while let scalar = peek, scalar != "|", scalar != ")" {
            let start = position
            let part = try atom(depth: depth)
            parts.append(try repeated(part, from: start))
        }
        return parts.isEmpty ? .empty : parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func repeated(_ part: RegexNode, from start: Int) throws(Problem) -> RegexNode {
        var part = part
        var times = 0
        while let (least, most) = try quantifier() {
            if case .assertion = part { throw Problem(sentence: "there is nothing here to repeat", offset: start) }
            times += 1
            guard times == 1 else { throw problem("one repetition follows another") }
            // Greedy or lazy makes no difference to whether a pattern matches, only to how much; possessive does.
            let isLazy = take("?")
            if !isLazy, next(is: "+") { throw problem("possessive repetition is not supported") }
            part = .repeated(part, least: least, most: most, isLazy: isLazy && groups != nil)
        }
        return part
    }

    private mutating func quantifier() throws(Problem) -> (Int, Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        guard next(is: "{") else { return nil }
        let start = position
        position += 1
        guard let least = number() else {
            // A brace that begins no repetition stands for itself, as in JSON.
            position = start
            return nil
        }
        var most: Int? = least
        if take(",") { most = next(is: "}") ? nil : number() ?? -1 }
        guard take("}"), most ?? least >= least, max(least, most ?? 0) <= RegexReader.repeatLimit else {
            throw Problem(
                sentence: "expected a repetition such as {2}, {2,} or {2,5}, at most \(RegexReader.repeatLimit)",
                offset: start
            )
        }
        return (least, most)
    }

    private mutating func atom(depth: Int) throws(Problem) -> RegexNode {
        guard let scalar = peek else { return .empty }
        switch scalar {
        case "(":
            let start = position
            position += 1
            let number = try readGroupKind() ? takeNumber() : nil
            let inside = try choice(depth: depth + 1)
            guard take(")") else { throw Problem(sentence: "this ( is never closed", offset: start) }
            return number.map { .group(inside, $0) } ?? inside
        case "[": return .set(try characterClass())
        case "\\": return try escape()
        case "*", "+", "?": throw problem("there is nothing here to repeat")
        case ".":
            position += 1
            return .set(dotTakesLines ? .all : ScalarSet.lineEnds.inverted)
        case "^":
            position += 1
            return .assertion(.start)
        case "$":
            position += 1
            return .assertion(.end)
        default:
            position += 1
            return literal(scalar)
        }
    }

    /// The number of the group that begins; `nil` where it is not remembered.
    private mutating func takeNumber() -> Int? {
        guard let count = groups else { return nil }
        groups = count + 1
        return count < RegexReader.groupLimit ? count + 1 : nil
    }

    /// Reads what follows the ( of a group; false for a group that has no number.
    private mutating func readGroupKind() throws(Problem) -> Bool {
        guard next(is: "?") else { return true }
        switch (at(1), at(2)) {
        case (":", _):
            position += 2
            return false
        case ("=", _), ("!", _), ("<", "="), ("<", "!"): throw problem("looking ahead or behind is not supported")
        case ("<", _), ("P", "<"):
            while let scalar = peek, scalar != ">" { position += scalar == ")" ? scalars.count : 1 }
            guard take(">") else { throw problem("a > is missing after the group's name") }
            return true
        default: throw problem("this kind of group is not supported; flags stand at the beginning")
        }
    }

    // MARK: single scalars

    private func literal(_ scalar: Unicode.Scalar) -> RegexNode {
        let set = ScalarSet([scalar.value...scalar.value])
        return .set(ignoresCase ? set.ignoringCase : set)
    }

    private mutating func escape() throws(Problem) -> RegexNode {
        let start = position
        position += 1
        guard let scalar = peek else {
            throw Problem(sentence: "a backslash at the end stands for nothing", offset: start)
        }
        switch scalar {
        case "b":
            position += 1
            return .assertion(.boundary)
        case "B":
            position += 1
            return .assertion(.noBoundary)
        case "A":
            position += 1
            return .assertion(.start)
        case "z", "Z":
            position += 1
            return .assertion(.end)
        default:
            if let set = try named() { return .set(set) }
            return literal(try escapedScalar(from: start))
        }
    }

    /// The set that the characters after a backslash name; `nil` where they name none.
    private mutating func named() throws(Problem) -> ScalarSet? {
        let set: ScalarSet
        switch peek {
        case "d"?: set = .digits
        case "D"?: set = ScalarSet.digits.inverted
        case "w"?: set = .words
        case "W"?: set = ScalarSet.words.inverted
        case "s"?: set = .blanks
        case "S"?: set = ScalarSet.blanks.inverted
        case "p"?, "P"?: return try category()
        default: return nil
        }
        position += 1
        return set
    }

    /// `p{Letter}`, or with `P` all others.
    private mutating func category() throws(Problem) -> ScalarSet {
        let start = position
        let isInverted = next(is: "P")
        position += 1
        var name = ""
        if take("{") {
            while let scalar = peek, scalar != "}" {
                name.unicodeScalars.append(scalar)
                position += 1
            }
        }
        guard take("}"), let category = ScalarSet.Category.named[name] else {
            throw Problem(sentence: "of Unicode's properties general categories are known, as \\p{Lu}", offset: start)
        }
        return category.set(ignoringCase: ignoresCase, isInverted: isInverted)
    }

    /// One scalar after a backslash, which has been read.
    private mutating func escapedScalar(from start: Int) throws(Problem) -> Unicode.Scalar {
        guard let scalar = peek else {
            throw Problem(sentence: "a backslash at the end stands for nothing", offset: start)
        }
        position += 1
        switch scalar {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "f": return "\u{0C}"
        case "v": return "\u{0B}"
        case "0": return "\0"
        case "c":
            guard let letter = peek, letter.isASCII, Character(letter).isLetter else {
                throw Problem(sentence: "expected a letter after \\c", offset: start)
            }
            position += 1
            return Unicode.Scalar(UInt8(letter.value & 0x1F))
        case "x", "u":
            let isBraced = take("{")
            var digits = ""
            let wanted = isBraced ? 1...6 : scalar == "x" ? 2...2 : 4...4
            while digits.count < wanted.upperBound, let digit = peek, digit.isASCII,
                Character(digit).isHexDigit
            {
                digits.unicodeScalars.append(digit)
                position += 1
            }
            guard wanted.contains(digits.count), !isBraced || take("}"),
                let value = UInt32(digits, radix: 16), let named = Unicode.Scalar(value)
            else {
                throw Problem(sentence: "expected a scalar such as \\x41 or \\u{1F600}", offset: start)
            }
            return named
        case "1"..."9", "k": throw Problem(sentence: "references to groups are not supported", offset: start)
        case _ where scalar.isASCII && Character(scalar).isLetter:
            throw Problem(sentence: "\\\(scalar) means nothing", offset: start)
        default: return scalar
        }
    }

    private mutating func characterClass() throws(Problem) -> ScalarSet {
        let start = position
        position += 1
        let isInverted = take("^")
        // Named sets are the same as outside a class, and already ignore case.
        var (ranges, named): ([ClosedRange<UInt32>], [ClosedRange<UInt32>]) = ([], [])
        var isFirst = true
        while let scalar = peek, isFirst || scalar != "]" {
            isFirst = false
            guard let low = try member(into: &named) else { continue }
            guard next(is: "-"), let after = at(1), after != "]" else {
                ranges.append(low.value...low.value)
                continue
            }
            let dash = position
            position += 1
            guard let high = try member(into: &named), low.value <= high.value else {
                throw Problem(sentence: "the range begins above its end", offset: dash)
            }
            ranges.append(low.value...high.value)
        }
        guard take("]") else { throw Problem(sentence: "this [ is never closed", offset: start) }
        let own = ignoresCase ? ScalarSet(ranges).ignoringCase : ScalarSet(ranges)
        let set = named.isEmpty ? own : ScalarSet(own.ranges + named)
        return isInverted ? set.inverted : set
    }

    /// One scalar of a class; `nil` when it was a set, which is added.
    private mutating func member(into ranges: inout [ClosedRange<UInt32>]) throws(Problem) -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        let start = position
        position += 1
        if scalar == "[", next(is: ":") { throw problem("classes with a name are not supported") }
        guard scalar == "\\" else { return scalar }
        if let set = try named() {
            ranges += set.ranges
            return nil
        }
        if take("b") { return "\u{08}" }
        return try escapedScalar(from: start)
    }

    // MARK: the text

    private var peek: Unicode.Scalar? { at(0) }

    private func at(_ distance: Int) -> Unicode.Scalar? {
        position + distance < scalars.count ? scalars[position + distance] : nil
    }

    private func next(is scalar: Unicode.Scalar) -> Bool { peek == scalar }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard peek == scalar else { return false }
        position += 1
        return true
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let scalar = peek, (0x30...0x39).contains(scalar.value), value ?? 0 < 100_000 {
            value = (value ?? 0) * 10 + Int(scalar.value - 0x30)
            position += 1
        }
        return value
    }

    private func problem(_ sentence: String) -> Problem {
        Problem(sentence: sentence, offset: min(position, scalars.count))
    }
}
