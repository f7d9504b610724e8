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
    /// Times that a value is held to a schema, in one body.
    static let workLimit = 50_000_000
    /// Schemas and values within each other, so that no recursion is without an end.
    private static let depthLimit = 800

    let table: SchemaTable
    let direction: Direction?
    /// Whether the faults of a choice are looked into; not once more while that is done.
    var explains = true
    private var faults: [Fault] = []
    /// For each keyword of each schema how often it spoke, and its last fault that is told.
    private var told: [String: (count: Int, last: Int)] = [:]
    /// Above 0 while a choice is tried: then no fault is kept.
    private(set) var trials = 0
    private var work = 0
    /// Whether a body was not checked to its end, since it was too much work.
    private(set) var isExhausted = false
    private let workLimit: Int

    init(_ table: SchemaTable, direction: Direction? = nil, workLimit: Int = SchemaJudge.workLimit) {
        self.table = table
        self.direction = direction
        self.workLimit = workLimit
    }

    /// The faults of a value.
    mutating func faults(of value: JSONValue, by schema: Schema.Number, at pointer: String = "") -> [Fault] {
        (faults, told, work) = ([], [:], 0)
        _ = check(value, Place(schema, pointer))
        for (count, last) in told.values where count > SchemaJudge.likeLimit {
            faults[last].more = count - SchemaJudge.likeLimit
        }
        return faults
    }

    /// Whether a value is as a schema wants it.
    mutating func holds(_ value: JSONValue, by schema: Schema.Number) -> Bool { tries(value, Place(schema, "")) }

    /// Where the judge stands.
    struct Place {
        let schema: Schema.Number
        let pointer: String
        /// The schemas that the same value is being held to already.
        let active: [Schema.Number]
        let depth: Int

        init(_ schema: Schema.Number, _ pointer: String, active: [Schema.Number] = [], depth: Int = 0) {
            self.schema = schema
            self.pointer = pointer
            self.active = active
            self.depth = depth
        }

        /// Another schema for the same value.
        func beside(_ schema: Schema.Number) -> Place {
            Place(schema, pointer, active: active + [self.schema], depth: depth + 1)
        }

        /// A schema for a value within it.
        func inside(_ schema: Schema.Number, _ pointer: String) -> Place { Place(schema, pointer, depth: depth + 1) }
    }

    /// Whether a value is as its place wants it, without keeping what is wrong.
    mutating func tries(_ value: JSONValue, _ place: Place) -> Bool {
        trials += 1
        defer { trials -= 1 }
        return check(value, place)
    }

    /// Holds a value to a schema.
    mutating func check(_ value: JSONValue, _ place: Place) -> Bool {
        guard work < workLimit, place.depth < SchemaJudge.depthLimit else {
            isExhausted = true
            return true
        }
        work += 1
        if place.active.contains(place.schema) { return true }
        let schema = table[place.schema]
        if let constant = schema.constant {
            return constant || fail(value, place, "", "\(value.brief) has no place here")
        }
        if schema.isNullable, value.isNull { return true }
        let kind = JSONKind(of: value)
        guard !schema.kinds.isDisjoint(with: kind) else {
            return fail(value, place, "type", "is \(value.brief); expected \(schema.kinds.sentence)")
        }
        var holds = general(value, schema, place)
        // While a choice is tried, the first fault decides.
        if !holds, trials > 0 { return false }
        switch value {
        case .number(let number): holds = numeric(number, value, schema, place) && holds
        case .string(let text): holds = textual(text, value, schema, place) && holds
        case .array(let elements): holds = list(elements, value, schema, place) && holds
        case .object(let members): holds = object(members, value, schema, place) && holds
        case .null, .boolean: break
        }
        if !holds, trials > 0 { return false }
        return composed(value, schema, place) && holds
    }

    /// Whether what a keyword finds at a place would be told.
    func isTold(_ keyword: String, at place: Place) -> Bool {
        trials == 0 && (told["\(table[place.schema].place)/\(keyword)"]?.count ?? 0) < SchemaJudge.likeLimit
    }

    /// Notes a fault, unless a choice is only tried; `false`, for the caller to return.
    mutating func fail(_ value: JSONValue, _ place: Place, _ keyword: String, _ sentence: @autoclosure () -> String)
        -> Bool
    {
        guard trials == 0 else { return false }
        let said = table[place.schema].place + (keyword.isEmpty ? "" : "/\(keyword)")
        let before = told[said] ?? (0, 0)
        if before.count < SchemaJudge.likeLimit {
            faults.append(Fault(pointer: place.pointer, sentence: sentence(), place: said))
            told[said] = (before.count + 1, faults.count - 1)
        } else {
            told[said] = (before.count + 1, before.last)
        }
        return false
    }

    private mutating func general(_ value: JSONValue, _ schema: Schema, _ place: Place) -> Bool {
        var holds = true
        if let values = schema.enumeration, !values.contains(where: { $0.isSame(as: value) }) {
            let known = values.prefix(8).map(\.brief).joined(separator: ", ") + (values.count > 8 ? " …" : "")
            holds = fail(value, place, "enum", "is \(value.brief); expected one of \(known)")
        }
        if let fixed = schema.fixed, !fixed.isSame(as: value) {
            holds = fail(value, place, "const", "is \(value.brief); expected \(fixed.brief)")
        }
        return holds
    }

    private mutating func numeric(_ number: Double, _ value: JSONValue, _ schema: Schema, _ place: Place) -> Bool {
        var holds = true
        if let least = schema.minimum, number < least {
            holds = fail(value, place, "minimum", "is \(value.brief); expected \(least) or more")
        }
        if let most = schema.maximum, number > most {
            holds = fail(value, place, "maximum", "is \(value.brief); expected \(most) or less")
        }
        if let bound = schema.exclusiveMinimum, number <= bound {
            holds = fail(value, place, "exclusiveMinimum", "is \(value.brief); expected more than \(bound)")
        }
        if let bound = schema.exclusiveMaximum, number >= bound {
            holds = fail(value, place, "exclusiveMaximum", "is \(value.brief); expected less than \(bound)")
        }
        if let factor = schema.multipleOf, !SchemaJudge.isMultiple(number, of: factor) {
            holds = fail(value, place, "multipleOf", "is \(value.brief), no multiple of \(factor)")
        }
        if let format = schema.format, format.isNumeric, !format.holds(number) {
            holds = fail(value, place, "format", "is \(value.brief), no \(format.rawValue)")
        }
        return holds
    }

    /// Whether a number is a multiple, allowing for what a Double makes of decimals: 19.99 is one of 0.01.
    private static func isMultiple(_ number: Double, of factor: Double) -> Bool {
        guard number.isFinite else { return false }
        // Between whole numbers the remainder is exact, as far as they are what was read.
        if number == number.rounded(), factor == factor.rounded() {
            return number.truncatingRemainder(dividingBy: factor) == 0
        }
        let quotient = number / factor
        guard quotient.isFinite else { return number.truncatingRemainder(dividingBy: factor) == 0 }
        // As far as the last digits of a Double go, and never as far as half a step.
        let tolerance = min(1e-9 * max(1, abs(quotient)), max(1e-3, 2 * quotient.ulp))
        return abs(quotient - quotient.rounded()) <= tolerance
            && (quotient.rounded() != 0 || number == 0)
    }

    private mutating func textual(_ text: String, _ value: JSONValue, _ schema: Schema, _ place: Place) -> Bool {
        var holds = true
        if schema.minLength != nil || schema.maxLength != nil {
            let count = text.unicodeScalars.count
            if let least = schema.minLength, count < least {
                holds = fail(value, place, "minLength", "has \(count) characters; expected \(least) or more")
            }
            if let most = schema.maxLength, count > most {
                holds = fail(value, place, "maxLength", "has \(count) characters; expected \(most) or fewer")
            }
        }
        if let pattern = schema.pattern, !pattern.matches(text) {
            let source = pattern.source.dropFirst(5)
            holds = fail(value, place, "pattern", "is \(value.brief), which does not match \(source)")
        }
        if let format = schema.format, !format.isNumeric, !format.holds(text) {
            holds = fail(value, place, "format", "is \(value.brief), no \(format.rawValue)")
        }
        return holds
    }
}
