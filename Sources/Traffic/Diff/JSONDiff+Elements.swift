extension JSONDiff {
    /// Members that may identify an element, the likeliest first.
    private static let identities = ["id", "slug", "uuid", "recordName", "name", "key"]

    /// Compares two lists: by what identifies their elements where all have it, else by their longest common part.
    mutating func elements(_ left: [JSONValue], _ right: [JSONValue], _ noise: NoiseTrail) {
        if let identity = JSONDiff.identity(of: left, right, noise) {
            identified(left, right, by: identity, noise)
        } else {
            aligned(left, right, noise)
        }
    }

    private mutating func identified(
        _ left: [JSONValue],
        _ right: [JSONValue],
        by name: String,
        _ noise: NoiseTrail
    ) {
        var places: [String: Int] = [:]
        for (index, element) in right.enumerated() { places[JSONDiff.word(element[name])] = index }
        var (order, isOrdered) = (-1, true)
        var kept = Set<Int>()
        for (index, element) in left.enumerated() {
            let word = JSONDiff.word(element[name])
            let subject = "\(name) \(Difference.shortened(word))"
            guard let other = places[word] else {
                below(.index(index), noise.element(index, of: left.count), subject: subject) { diff, _ in
                    diff.add(.removed, left: element)
                } unless: {
                    false
                }
                continue
            }
            kept.insert(other)
            if other < order { isOrdered = false }
            order = other
            below(.index(index), noise.element(index, of: left.count), subject: subject) { diff, noise in
                diff.compare(element, right[other], noise)
            } unless: {
                JSONDiff.isEqual(element, right[other])
            }
        }
        for (index, element) in right.enumerated() where !kept.contains(index) {
            let subject = "\(name) \(Difference.shortened(JSONDiff.word(element[name])))"
            below(.index(index), noise.element(index, of: right.count), subject: subject) { diff, _ in
                diff.add(.added, right: element)
            } unless: {
                false
            }
        }
        if !isOrdered {
            func order(_ list: [JSONValue]) -> String {
                list.prefix(8).map { JSONDiff.word($0[name]) }.joined(separator: ", ")
            }
            add(.reordered, left: "\(name) \(order(left))", right: "\(name) \(order(right))")
        }
    }

    private mutating func aligned(_ left: [JSONValue], _ right: [JSONValue], _ noise: NoiseTrail) {
        func digests(_ list: [JSONValue]) -> [Int] {
            list.enumerated().map { index, element in
                guard case .goesOn(let below) = noise.element(index, of: list.count) else { return 0 }
                return JSONDiff.digest(element, below)
            }
        }
        for step in SequenceAlignment.steps(digests(left), digests(right), &work) {
            switch step {
            case .same(let one, let other) where noise.isOver:
                // Two digests are the same by chance once in many lifetimes; looking costs little.
                if !JSONDiff.isEqual(left[one], right[other]) { pair(one, other, left, right, noise) }
            case .same(let one, let other), .other(let one, let other): pair(one, other, left, right, noise)
            case .removed(let index):
                below(.index(index), noise.element(index, of: left.count)) { diff, _ in
                    diff.add(.removed, left: left[index])
                } unless: {
                    false
                }
            case .added(let index):
                below(.index(index), noise.element(index, of: right.count)) { diff, _ in
                    diff.add(.added, right: right[index])
                } unless: {
                    false
                }
            }
        }
    }

    private mutating func pair(
        _ one: Int,
        _ other: Int,
        _ left: [JSONValue],
        _ right: [JSONValue],
        _ noise: NoiseTrail
    ) {
        below(.index(one), noise.element(one, of: left.count)) { diff, noise in
            diff.compare(left[one], right[other], noise)
        } unless: {
            JSONDiff.isEqual(left[one], right[other])
        }
    }

    /// The member that identifies elements: it stands once in every element of both lists, its values differ within a list, and some value is in
    /// both.
    ///
    /// Noise identifies nothing. Nor does a member whose value is new in every element: it is made anew for each answer.
    private static func identity(of left: [JSONValue], _ right: [JSONValue], _ noise: NoiseTrail) -> String? {
        guard !left.isEmpty, !right.isEmpty, left.allSatisfy(\.isObject), right.allSatisfy(\.isObject) else {
            return nil
        }
        return identities.first { name in
            guard let here = words(name, of: left, noise), let there = words(name, of: right, noise) else {
                return false
            }
            return !here.isDisjoint(with: there)
        }
    }

    /// The values of a member in the elements of a list; `nil` where an element lacks it or has it twice, where two agree, or where one is noise.
    private static func words(_ name: String, of list: [JSONValue], _ noise: NoiseTrail) -> Set<String>? {
        var seen = Set<String>(minimumCapacity: list.count)
        for (index, element) in list.enumerated() {
            let word = word(element[name])
            guard !word.isEmpty, seen.insert(word).inserted else { return nil }
            guard !noise.isOver, case .goesOn(let below) = noise.element(index, of: list.count) else { continue }
            if case .ends = below.member(name) { return nil }
        }
        return seen
    }

    /// A string or a number as a word; empty for anything else.
    private static func word(_ value: JSONValue?) -> String {
        switch value {
        case .string(let text): ExactNumbers.digits(text).map(String.init) ?? text
        case .number(let number): JSONPattern.Condition.text(number)
        default: ""
        }
    }

    /// A number that equal values have, whatever the order of their members, noise left out.
    private static func digest(_ value: JSONValue, _ noise: NoiseTrail) -> Int {
        var hasher = Hasher()
        switch value {
        case .null: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .number(let number): hasher.combine(number)
        case .string(let text): hasher.combine(text)
        case .array(let elements):
            hasher.combine(elements.count)
            for (index, element) in elements.enumerated() {
                if case .goesOn(let below) = noise.element(index, of: elements.count) {
                    hasher.combine(digest(element, below))
                }
            }
        case .object(let members):
            var sum = 0
            for member in members {
                guard case .goesOn(let below) = noise.member(member.name) else { continue }
                var one = Hasher()
                one.combine(member.name)
                one.combine(digest(member.value, below))
                sum &+= one.finalize()
            }
            hasher.combine(sum)
        }
        return hasher.finalize()
    }
}
