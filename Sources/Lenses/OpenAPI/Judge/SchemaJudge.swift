import Traffic

/// A judge of JSON values by the schemas of a table.
///
/// A schema and a body may come from anybody: the work is bounded, and a reference that leads back to itself at the same value asserts nothing more.
struct SchemaJudge {
    /// A fault: something in a value that its schema forbids.
    struct Fault {
        /// The place in the value (RFC 6901).
        var pointer: String
        /// What is wrong, a sentence that begins with the value.
        var sentence: String
        /// The keyword of the schema that forbids it: `#/components/schemas/Facility/type`.
        var place: String
        /// How many more faults the same keyword of the same schema found.
        var more = 0
    }

    /// The message that a value is in: a member that is only read is not sent, and the other way round.
    enum Direction {
        case request, response
    }

    /// The most faults of one keyword of one schema that are told; the last says how many more there are.
    static let likeLimit = 5
    /// The checks of a value by a schema that are allowed for any value; a long text counts as several.
    static let leastWork = 1_000_000
    /// The work that may be spent on finding the nearest of some choices.
    private static let nearestWork = 100_000
    /// The characters that are compared in the time of one check of a value by a schema.
    static let charactersOfWork = 16
    /// The characters that are compared in the time of looking up one name.
    private static let charactersOfName = 4
    /// The most levels of schemas and values, so that every recursion ends.
    private static let depthLimit = 800
    /// The most bytes of all faults: each repeats the names on the way to it, in the value and in the document.
    private static let faultsLimit = 16 << 20

    let table: SchemaTable
    let direction: Direction?
    /// Whether the faults of a choice are explained; `false` while that is being done.
    var explains = true
    private var faults: [Fault] = []
    private var faultBytes = 0
    /// For each keyword of each schema, its count of faults, and the index of the last that is told.
    private var told: [Speaker: (count: Int, last: Int)] = [:]
    /// How many choices are being tried within each other; above 0 no fault is kept.
    private(set) var trials = 0
    /// The work that was done for the value so far, and the most that may be done.
    private(set) var work = 0
    private let workLimit: Int
    /// Whether a body was too much work to be checked to its end.
    private(set) var isExhausted = false
    /// The schemas for the same value that are being visited, each with the value's frame.
    private var active: [Schema.Number: Int] = [:]
    /// The resources whose schemas are being visited, each once, the outermost first; kept only where a dynamic reference needs them.
    private(set) var scope: [String] = []
    /// The cost of a search through them.
    private(set) var scopeWork = 0
    /// The names that are only read and only written, by schema, where they were asked for.
    private var oneWay: [Schema.Number: SchemaTable.OneWay] = [:]

    init(_ table: SchemaTable, direction: Direction? = nil, workLimit: Int = SchemaJudge.leastWork) {
        self.table = table
        self.direction = direction
        self.workLimit = workLimit
    }

    /// Finds the faults of a value.
    mutating func faults(of value: JSONValue, by schema: Schema.Number, at pointer: String = "") -> [Fault] {
        (faults, faultBytes, told, work) = ([], 0, [:], 0)
        _ = check(value, Place(schema, .whole(pointer)))
        for (count, last) in told.values where count > SchemaJudge.likeLimit {
            faults[last].more = count - SchemaJudge.likeLimit
        }
        return faults
    }

    /// A schema's verdict on a value.
    mutating func verdict(on value: JSONValue, by schema: Schema.Number) -> SchemaVerdict {
        tries(value, Place(schema, .whole("")))
    }

    /// Whether a value may fit a schema: no keyword that is understood forbids it.
    mutating func holds(_ value: JSONValue, by schema: Schema.Number) -> Bool {
        verdict(on: value, by: schema) != .fails
    }

    /// A keyword of a schema.
    private struct Speaker: Hashable {
        let schema: Schema.Number
        let keyword: String
    }

    /// The way from the whole to a value, written out only where a fault is told.
    indirect enum Way {
        case whole(String)
        case member(String, of: Way)
        case element(Int, of: Way)

        /// The most characters of a pointer; a longer one is cut.
        private static let pointerLimit = 10_000

        /// The way as a pointer (RFC 6901).
        var pointer: String {
            var names: [String] = []
            var way = self
            var pointer = ""
            var isWhole = false
            while !isWhole {
                switch way {
                case .whole(let start): (pointer, isWhole) = (start, true)
                case .member(let name, let outer):
                    names.append(name)
                    way = outer
                case .element(let index, let outer):
                    names.append("\(index)")
                    way = outer
                }
            }
            for name in names.reversed() {
                guard pointer.utf8.count < Way.pointerLimit else { return pointer + "…" }
                let isLong = name.utf8.count > Way.pointerLimit
                let shown = isLong ? String(name.unicodeScalars.prefix(Way.pointerLimit)) + "…" : name
                pointer = JSONPointer.child(shown, of: pointer)
            }
            return pointer
        }
    }

    /// A place of the judge: a schema and a value.
    struct Place {
        let schema: Schema.Number
        let way: Way
        /// The schema that led to the value; the others for it are parts of that schema.
        let whole: Schema.Number
        /// The value's number, different from those of the values around it.
        let frame: Int
        let depth: Int

        init(_ schema: Schema.Number, _ way: Way, depth: Int = 0) {
            (self.schema, self.way, self.depth) = (schema, way, depth)
            (whole, frame) = (schema, depth)
        }

        private init(_ schema: Schema.Number, beside place: Place) {
            self.schema = schema
            (way, whole, frame, depth) = (place.way, place.whole, place.frame, place.depth + 1)
        }

        /// The place of another schema for the same value.
        func beside(_ schema: Schema.Number) -> Place { Place(schema, beside: self) }

        /// The place of a schema for a member of the value.
        func inside(_ schema: Schema.Number, member name: String) -> Place {
            Place(schema, .member(name, of: way), depth: depth + 1)
        }

        /// The place of a schema for an element of the value.
        func inside(_ schema: Schema.Number, element index: Int) -> Place {
            Place(schema, .element(index, of: way), depth: depth + 1)
        }
    }

    /// The verdict on a value, without keeping its faults.
    mutating func tries(_ value: JSONValue, _ place: Place) -> SchemaVerdict {
        trials += 1
        defer { trials -= 1 }
        return check(value, place)
    }

    /// Checks a value by a schema.
    mutating func check(_ value: JSONValue, _ place: Place) -> SchemaVerdict {
        guard work < workLimit, place.depth < SchemaJudge.depthLimit else {
            isExhausted = true
            return .unknown
        }
        work += 1
        // All digits of a number decide its kind.
        charge(digitsOf: value)
        // A reference back to itself at the same value has no meaning (JSON Schema Core §9.4.1).
        if active[place.schema] == place.frame { return .unknown }
        let schema = table[place.schema]
        let isEntered = enter(schema)
        defer { if isEntered { leave() } }
        if let constant = schema.constant {
            return constant ? .holds : fail(value, place, "", "\(value.brief) has no place here")
        }
        if schema.isNullable, value.isNull { return .holds }
        let kind = JSONKind(of: value)
        guard !schema.kinds.isDisjoint(with: kind) else {
            return fail(value, place, "type", "is \(value.brief); expected \(schema.kinds.sentence)")
        }
        var verdict: SchemaVerdict = schema.uncheckedKinds.isDisjoint(with: kind) ? .holds : .unknown
        verdict.meet(general(value, kind, schema, place))
        // While a choice is tried, the first fault decides.
        if verdict == .fails, trials > 0 { return .fails }
        switch value {
        case .number: verdict.meet(numeric(value, schema, place))
        case .string where value.longDigits != nil: verdict.meet(numeric(value, schema, place))
        case .string(let text): verdict.meet(textual(text, value, schema, place))
        case .array(let elements): verdict.meet(list(elements, value, schema, place))
        case .object(let members): verdict.meet(object(members, value, schema, place))
        case .null, .boolean: break
        }
        if verdict == .fails, trials > 0 || !schema.isComposed { return .fails }
        guard schema.isComposed || schema.asksForRest else { return verdict }
        let before = active.updateValue(place.frame, forKey: place.schema)
        verdict.meet(composed(value, schema, place))
        // A value that breaks another keyword tells nothing of the rest.
        if verdict != .fails, schema.asksForRest { verdict.meet(rest(of: value, schema, place)) }
        active[place.schema] = before
        return verdict
    }

    /// Notes that a schema is being visited; returns whether `leave` must undo that.
    ///
    /// A resource that is being visited already is not noted again: the outermost visit decides.
    mutating func enter(_ schema: Schema) -> Bool {
        guard table.isDynamic, scope.last != schema.resource else { return false }
        work += scopeWork
        guard !scope.contains(schema.resource) else { return false }
        scope.append(schema.resource)
        scopeWork += SchemaJudge.work(of: schema.resource)
        return true
    }

    /// Undoes what `enter` noted.
    mutating func leave() { scopeWork -= SchemaJudge.work(of: scope.removeLast()) }

    /// The cost of comparing a resource, which is a place with all names on the way to it.
    private static func work(of resource: String) -> Int { 1 + resource.utf8.count / charactersOfWork }

    /// The target of a dynamic reference of a schema that is being visited.
    mutating func target(of reference: DynamicReference) -> Schema.Number {
        work += scopeWork
        return reference.target(in: scope)
    }

    /// Counts a step that is no check of a value; returns whether it may be done.
    mutating func takeStep(at place: Place, work steps: Int) -> Bool {
        guard work < workLimit, place.depth < SchemaJudge.depthLimit else {
            isExhausted = true
            return false
        }
        work += steps
        return true
    }

    /// Counts names that are looked up, each once; returns whether they may be.
    mutating func takeNames(_ names: some Sequence<String>, at place: Place) -> Bool {
        let characters = names.reduce(0) {
            $0 + SchemaJudge.charactersOfName + $1.utf8.count / SchemaJudge.charactersOfName
        }
        return takeStep(at: place, work: characters / SchemaJudge.charactersOfWork)
    }

    /// Counts the work for a long text.
    mutating func charge(characters: Int) { work += characters / SchemaJudge.charactersOfWork }

    /// Counts the work for a number with many digits.
    mutating func charge(digitsOf number: JSONValue?) {
        if let digits = number?.longDigits { charge(characters: digits.utf8.count) }
    }

    /// Whether a text matches a pattern; `nil` where that is too much work.
    mutating func matches(_ pattern: SchemaPattern, _ text: String) -> Bool? {
        let room = max(0, workLimit - work) * SchemaJudge.charactersOfWork
        var left = room
        let isMatch = pattern.matches(text, work: &left)
        charge(characters: SchemaJudge.charactersOfWork + room - left)
        if isMatch == nil { isExhausted = true }
        return isMatch
    }

    /// The names that are only read and only written in a schema's value; `nil` where it takes too much work to find them.
    mutating func oneWay(of schema: Schema.Number) -> SchemaTable.OneWay? {
        if let known = oneWay[schema] { return known }
        var room = workLimit - work
        let found = table.oneWay(of: schema, work: &room)
        work = workLimit - room
        if found == nil { isExhausted = true }
        oneWay[schema] = found
        return found
    }

    /// Whether a fault of a keyword at a place would be told.
    func isTold(_ keyword: String, at place: Place) -> Bool {
        let count = told[Speaker(schema: place.schema, keyword: keyword)]?.count ?? 0
        return trials == 0 && count < SchemaJudge.likeLimit
    }

    /// Notes a fault, unless a choice is being tried; returns `fails`, for the caller to return.
    mutating func fail(_ value: JSONValue, _ place: Place, _ keyword: String, _ sentence: @autoclosure () -> String)
        -> SchemaVerdict
    {
        guard trials == 0 else { return .fails }
        let speaker = Speaker(schema: place.schema, keyword: keyword)
        let before = told[speaker] ?? (0, 0)
        if before.count < SchemaJudge.likeLimit {
            guard faultBytes < SchemaJudge.faultsLimit else {
                isExhausted = true
                return .fails
            }
            let said = table[place.schema].place + (keyword.isEmpty ? "" : "/\(keyword)")
            let fault = Fault(pointer: place.way.pointer, sentence: sentence(), place: said)
            faultBytes += fault.pointer.utf8.count + fault.sentence.utf8.count + fault.place.utf8.count
            faults.append(fault)
            told[speaker] = (before.count + 1, faults.count - 1)
        } else {
            told[speaker] = (before.count + 1, before.last)
        }
        return .fails
    }

    /// Says what is wrong by the choice that a value comes nearest to: the choice whose first fault lies deepest.
    mutating func nearest(_ value: JSONValue, _ choices: [Schema.Number]) -> String {
        guard explains else { return "" }
        var best: Fault?
        for choice in choices.prefix(20) {
            let room = min(SchemaJudge.nearestWork, workLimit - work)
            guard room > 0 else { break }
            var judge = SchemaJudge(table, direction: direction, workLimit: room)
            judge.explains = false
            (judge.scope, judge.scopeWork, judge.oneWay) = (scope, scopeWork, oneWay)
            let fault = judge.faults(of: value, by: choice).first
            work += judge.work
            oneWay = judge.oneWay
            guard let fault else { continue }
            if best.map({ $0.pointer.utf8.count < fault.pointer.utf8.count }) ?? true { best = fault }
        }
        guard let best else { return "" }
        return "; by the nearest, \(best.pointer.isEmpty ? "it" : best.pointer) \(best.sentence)"
    }

    private mutating func general(_ value: JSONValue, _ kind: JSONKind, _ schema: Schema, _ place: Place)
        -> SchemaVerdict
    {
        var verdict = SchemaVerdict.holds
        if let values = schema.enumeration, !isListed(value, kind, in: values) {
            verdict = fail(value, place, "enum", "is \(value.brief); expected one of \(values.brief)")
        }
        if let fixed = schema.fixed, !isListed(value, kind, in: fixed) {
            verdict = fail(value, place, "const", "is \(value.brief); expected \(fixed.brief)")
        }
        return verdict
    }

    private mutating func isListed(_ value: JSONValue, _ kind: JSONKind, in values: SchemaValues) -> Bool {
        guard !values.kinds.isDisjoint(with: kind) else { return false }
        let text = value.canonical
        charge(characters: text.utf8.count)
        return values.texts.contains(text)
    }
}
