import Traffic

/// Holds a JSON value to a schema of a table.
///
/// A schema and a body may be anybody's: the work is bounded, and a reference that leads back to itself at the same value says nothing more.
struct SchemaJudge {
    /// Something in a value that its schema forbids.
    struct Fault {
        /// Where in the value (RFC 6901).
        var pointer: String
        /// What is wrong with it, beginning with the value.
        var sentence: String
        /// Which keyword of which schema says so: `#/components/schemas/Facility/type`.
        var place: String
        /// How many more there are that the same keyword of the same schema found.
        var more = 0
    }

    /// Which message a value is of: what is only read is not sent, and the other way round.
    enum Direction {
        case request, response
    }

    /// Faults of the same keyword of the same schema that are told one by one; the last says how many more there are.
    static let likeLimit = 5
    /// Times that a value may be held to a schema, whatever it is; long texts count as several.
    static let leastWork = 1_000_000
    /// Work that the nearest of some choices is looked for with.
    private static let nearestWork = 100_000
    /// Characters that are compared in the time that holding a value to a schema takes.
    static let charactersOfWork = 16
    /// Characters that are compared in the time that a name is looked up in.
    private static let charactersOfName = 4
    /// Schemas and values within each other, so that no recursion is without an end.
    private static let depthLimit = 800
    /// Bytes of faults: each has the names on the way to it, in the value and in the document.
    private static let faultsLimit = 16 << 20

    let table: SchemaTable
    let direction: Direction?
    /// Whether the faults of a choice are looked into; not once more while that is done.
    var explains = true
    private var faults: [Fault] = []
    private var faultBytes = 0
    /// For each keyword of each schema how often it spoke, and its last fault that is told.
    private var told: [Speaker: (count: Int, last: Int)] = [:]
    /// Above 0 while a choice is tried: then no fault is kept.
    private(set) var trials = 0
    /// What was done for the value so far, and what may be.
    private(set) var work = 0
    private let workLimit: Int
    /// Whether a body was not checked to its end, since it was too much work.
    private(set) var isExhausted = false
    /// The schemas with others for the same value that are being gone through, each with the value's frame.
    private var active: [Schema.Number: Int] = [:]
    /// The resources whose schemas are being gone through, each once, the outermost first; only where a reference asks for them.
    private(set) var scope: [String] = []
    /// What it costs to look through them.
    private(set) var scopeWork = 0
    /// What is only read and only written by the schemas of a value, where that was asked for.
    private var oneWay: [Schema.Number: SchemaTable.OneWay] = [:]

    init(_ table: SchemaTable, direction: Direction? = nil, workLimit: Int = SchemaJudge.leastWork) {
        self.table = table
        self.direction = direction
        self.workLimit = workLimit
    }

    /// The faults of a value.
    mutating func faults(of value: JSONValue, by schema: Schema.Number, at pointer: String = "") -> [Fault] {
        (faults, faultBytes, told, work) = ([], 0, [:], 0)
        _ = check(value, Place(schema, .whole(pointer)))
        for (count, last) in told.values where count > SchemaJudge.likeLimit {
            faults[last].more = count - SchemaJudge.likeLimit
        }
        return faults
    }

    /// What a schema says of a value.
    mutating func verdict(on value: JSONValue, by schema: Schema.Number) -> SchemaVerdict {
        tries(value, Place(schema, .whole("")))
    }

    /// Whether a value may be as a schema wants it: nothing that is understood forbids it.
    mutating func holds(_ value: JSONValue, by schema: Schema.Number) -> Bool {
        verdict(on: value, by: schema) != .fails
    }

    /// A keyword of a schema.
    private struct Speaker: Hashable {
        let schema: Schema.Number
        let keyword: String
    }

    /// The way to a value in the whole; it is written out where a fault is told, and not for each value that is looked at.
    indirect enum Way {
        case whole(String)
        case member(String, of: Way)
        case element(Int, of: Way)

        /// Characters of a pointer: what is longer is cut.
        private static let pointerLimit = 10_000

        /// As a pointer (RFC 6901).
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

    /// Where the judge stands.
    struct Place {
        let schema: Schema.Number
        let way: Way
        /// The schema by which the value was come to: the others for it are parts of that one.
        let whole: Schema.Number
        /// A number for the value, another than those of the values that it stands in.
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

        /// Another schema for the same value.
        func beside(_ schema: Schema.Number) -> Place { Place(schema, beside: self) }

        /// A schema for a member of it.
        func inside(_ schema: Schema.Number, member name: String) -> Place {
            Place(schema, .member(name, of: way), depth: depth + 1)
        }

        /// A schema for an element of it.
        func inside(_ schema: Schema.Number, element index: Int) -> Place {
            Place(schema, .element(index, of: way), depth: depth + 1)
        }
    }

    /// Whether a value is as its place wants it, without keeping what is wrong.
    mutating func tries(_ value: JSONValue, _ place: Place) -> SchemaVerdict {
        trials += 1
        defer { trials -= 1 }
        return check(value, place)
    }

    /// Holds a value to a schema.
    mutating func check(_ value: JSONValue, _ place: Place) -> SchemaVerdict {
        guard work < workLimit, place.depth < SchemaJudge.depthLimit else {
            isExhausted = true
            return .unknown
        }
        work += 1
        // Its kind is told by all of its digits.
        charge(digitsOf: value)
        // What leads back to itself at the same value is given no meaning (JSON Schema Core §9.4.1).
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
        // What breaks another keyword says nothing of the rest.
        if verdict != .fails, schema.asksForRest { verdict.meet(rest(of: value, schema, place)) }
        active[place.schema] = before
        return verdict
    }

    /// Notes that a schema is gone through; whether that is to be undone after it.
    ///
    /// A resource that is gone through already is not noted again: of a resource that is there twice the first decides.
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

    /// What it costs to compare a resource: it is a place, with all of the names on the way to it.
    private static func work(of resource: String) -> Int { 1 + resource.utf8.count / charactersOfWork }

    /// Where a dynamic reference of a schema that is gone through leads.
    mutating func target(of reference: DynamicReference) -> Schema.Number {
        work += scopeWork
        return reference.target(in: scope)
    }

    /// Counts a step that is none of holding a value to a schema; whether it may be done.
    mutating func takeStep(at place: Place, work steps: Int) -> Bool {
        guard work < workLimit, place.depth < SchemaJudge.depthLimit else {
            isExhausted = true
            return false
        }
        work += steps
        return true
    }

    /// Counts names that are looked up, each once; whether they may be.
    mutating func takeNames(_ names: some Sequence<String>, at place: Place) -> Bool {
        let characters = names.reduce(0) {
            $0 + SchemaJudge.charactersOfName + $1.utf8.count / SchemaJudge.charactersOfName
        }
        return takeStep(at: place, work: characters / SchemaJudge.charactersOfWork)
    }

    /// Counts what is done in one go for a long text.
    mutating func charge(characters: Int) { work += characters / SchemaJudge.charactersOfWork }

    /// Counts what is done in one go for a number with many digits.
    mutating func charge(digitsOf number: JSONValue?) {
        if let digits = number?.longDigits { charge(characters: digits.utf8.count) }
    }

    /// Whether a text is as a pattern wants it; `nil` where that is too much work.
    mutating func matches(_ pattern: SchemaPattern, _ text: String) -> Bool? {
        let room = max(0, workLimit - work) * SchemaJudge.charactersOfWork
        var left = room
        let isMatch = pattern.matches(text, work: &left)
        charge(characters: SchemaJudge.charactersOfWork + room - left)
        if isMatch == nil { isExhausted = true }
        return isMatch
    }

    /// What is only read and only written of a value that was come to by a schema; `nil` where finding that is too much work.
    mutating func oneWay(of schema: Schema.Number) -> SchemaTable.OneWay? {
        if let known = oneWay[schema] { return known }
        var room = workLimit - work
        let found = table.oneWay(of: schema, work: &room)
        work = workLimit - room
        if found == nil { isExhausted = true }
        oneWay[schema] = found
        return found
    }

    /// Whether what a keyword finds at a place would be told.
    func isTold(_ keyword: String, at place: Place) -> Bool {
        let count = told[Speaker(schema: place.schema, keyword: keyword)]?.count ?? 0
        return trials == 0 && count < SchemaJudge.likeLimit
    }

    /// Notes a fault, unless a choice is only tried; `fails`, for the caller to return.
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

    /// What is wrong by the choice that a value comes nearest to: the one whose first fault lies deepest.
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
