/// The items of a query or of a form, each with its name, which is decoded once however many edits ask for it.
struct NamedItems<Item: Equatable> {
    /// The items; `nil` for those that were removed.
    private var items: [Item?]
    /// Their names decoded: UTF-8 as a rule, else whatever bytes they are, which no name in UTF-8 equals.
    private var names: [[UInt8]]
    /// Bytes of JSON that are read in the time in which an item is decoded and noted.
    static var itemWork: Int { 256 }

    /// Where the items of a name stand, in their order.
    private var places: [[UInt8]: [Int]] = [:]

    /// - Parameters:
    ///   - items: the items in their order.
    ///   - name: the decoded name of one.
    init(_ items: [Item], name: (Item) -> [UInt8]) {
        self.items = items
        names = items.map(name)
        for (place, name) in names.enumerated() { places[name, default: []].append(place) }
    }

    /// The items that are left, in their order.
    var left: [Item] { items.compactMap(\.self) }

    /// Removes the items whose names a pattern matches.
    ///
    /// - Parameters:
    ///   - pattern: the pattern.
    ///   - work: the work that is left; it is reduced by what was done.
    ///   - note: is told of each that is removed, with its name.
    /// - Throws: `RuleFault` where that takes too much work.
    mutating func remove(
        _ pattern: NameGlob,
        _ work: inout EditWork,
        _ note: (_ name: String, _ item: Item) -> Void
    ) throws(RuleFault) {
        // A plain name is known, and is not looked for.
        let candidates = pattern.isPattern ? Array(items.indices) : places[Array(pattern.text.utf8)] ?? []
        for place in candidates {
            guard let item = items[place], try pattern.matches(names[place], &work) else { continue }
            note(ByteText.lossless(names[place]), item)
            items[place] = nil
            places[names[place]] = nil
        }
    }

    /// Puts an item in the place of the first of its name, and removes the others; where there is none, adds it at the end.
    ///
    /// - Returns: the first of its name before, and how many of it there were.
    mutating func set(_ name: String, to item: Item) -> (before: Item?, count: Int) {
        let known = places[Array(name.utf8)] ?? []
        guard let first = known.first else {
            add(name, item)
            return (nil, 0)
        }
        let before = items[first]
        for place in known.dropFirst() { items[place] = nil }
        items[first] = item
        places[names[first]] = [first]
        return (before, known.count)
    }

    /// Adds an item at the end.
    mutating func add(_ name: String, _ item: Item) {
        let name = Array(name.utf8)
        places[name, default: []].append(items.count)
        items.append(item)
        names.append(name)
    }
}
