/// Compares field lines by name and value; the order of different fields means nothing, that of one field's lines does.
enum FieldDiff {
    /// Compares the field lines of two messages.
    ///
    /// - Parameters:
    ///   - left: one's.
    ///   - right: the other's.
    ///   - side: which messages they are.
    ///   - part: `.field` or `.trailer`.
    ///   - passes: names in lower case that are not looked at, without a word: something else compares them.
    ///   - noise: what is passed over.
    ///   - origins: what the two servers call themselves, where that is passed over.
    ///   - found: what differs is added to it.
    static func compare(
        _ left: HeaderList,
        _ right: HeaderList,
        _ side: MessageSide,
        _ part: Difference.Part,
        passing passes: Set<String>,
        _ noise: DiffNoise,
        _ origins: OwnOrigins?,
        _ found: inout CaptureDifference
    ) {
        let (one, other) = (grouped(left), grouped(right))
        var names = one.names
        names += other.names.filter { one.values[$0.lowercased()] == nil }
        for name in names {
            let key = name.lowercased()
            let (left, right) = (one.values[key], other.values[key])
            let (exactLeft, exactRight) = (left.map(exact), right.map(exact))
            guard exactLeft != exactRight, !passes.contains(key) else { continue }
            if noise.fields.contains(key) {
                found.ignore("header:\(key)")
                continue
            }
            if let left, let right, let origins,
                left.map({ Array($0.utf8) }) == right.map({ origins.asLeft(Array($0.utf8)) ?? Array($0.utf8) })
            {
                found.ignore("own origin")
                continue
            }
            let change: Difference.Change =
                left == nil
                ? .added : right == nil ? .removed : exactLeft?.sorted() == exactRight?.sorted() ? .reordered : .changed
            found.add(
                Difference(
                    side,
                    part,
                    name,
                    change,
                    left: left?.joined(separator: " | "),
                    right: right?.joined(separator: " | ")
                )
            )
        }
    }

    private static func exact(_ values: [String]) -> [ExactText] { values.map { ExactText($0) } }

    /// Names as first written, in order, and the values of each by its name in lower case.
    private static func grouped(_ fields: HeaderList) -> (names: [String], values: [String: [String]]) {
        var names: [String] = []
        var values: [String: [String]] = [:]
        for field in fields {
            let key = field.name.lowercased()
            if values[key] == nil { names.append(field.name) }
            values[key, default: []].append(field.value)
        }
        return (names, values)
    }
}
