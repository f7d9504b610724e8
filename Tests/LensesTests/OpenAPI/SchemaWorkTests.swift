import Testing
import Traffic

@testable import Lenses

@Suite("What holding a value to a schema costs", .timeLimit(.minutes(15)))
struct SchemaWorkTests {
    /// A judge of a document that is a schema, which has the number 0.
    private static func judge(_ json: String, _ direction: SchemaJudge.Direction? = nil, workLimit: Int) throws
        -> SchemaJudge
    {
        // What is written with many digits is read with all of them.
        let schema = try ExactJSON.value(Array(json.utf8))
        var reader = SchemaReader(DocumentTree(root: schema, isOld: false))
        _ = try reader.read(schema, "#")
        return SchemaJudge(reader.table, direction: direction, workLimit: workLimit)
    }

    private static let names = (0..<4_000).map { "n\($0)" }
    /// An object of many members, and one of one.
    private static let (wide, narrow): (JSONValue, JSONValue) = (
        .object(names.map { ($0, .number(1)) }), .object([("n0", .number(1))])
    )

    private static func list(_ names: some Sequence<String>) -> String {
        names.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    private static func members(_ names: some Sequence<String>, _ value: String) -> String {
        names.map { "\"\($0)\": \(value)" }.joined(separator: ", ")
    }

    private static let digits = String(repeating: "123456789", count: 2_000)
    private static let number = JSONValue.string(ExactNumbers.mark + digits)

    /// Schemas, each with a value for which one look is little and sixteen are much.
    private static let costs: [(String, JSONValue)] = [
        (#"{"properties": {"n1": true}}"#, wide),
        (#"{"minProperties": 1}"#, wide),
        (#"{"required": ["n1"]}"#, wide),
        (#"{"required": [\#(list(names))]}"#, narrow),
        (#"{"dependentRequired": {\#(members(names, "[]"))}}"#, narrow),
        (#"{"dependentRequired": {"n0": [\#(list(names))]}}"#, narrow),
        (#"{"dependentSchemas": {\#(members(names, "true"))}}"#, narrow),
        (#"{"dependentSchemas": {"n1": true}}"#, wide),
        (#"{"patternProperties": {"x": true}}"#, wide),
        (#"{"properties": {"x": true}}"#, .object([(String(repeating: digits, count: 3), .null)])),
        (#"{"uniqueItems": true}"#, .array(names.indices.map { .number(Double($0)) })),
        (#"{"type": "integer"}"#, number),
        (#"{"minimum": 0}"#, number),
        (#"{"maximum": \#(digits)}"#, .number(1)),
        // A pattern whose states are many: each byte is a step for each of them.
        (#"{"pattern": "^[ab]*a[ab]{300}c"}"#, .string(String(repeating: "aab", count: 100))),
    ]

    @Test(
        "What grows with the value or the document is counted, and what is too much is not checked",
        arguments: SchemaWorkTests.costs.indices
    )
    func counted(row: Int) throws {
        let (schema, value) = Self.costs[row]
        let parts = Array(repeating: ##"{"$ref": "#/$defs/a"}"##, count: 16).joined(separator: ", ")
        let document = #"{"allOf": [\#(parts)], "$defs": {"a": \#(schema)}}"#
        var judge = try Self.judge(document, workLimit: 1_000)
        _ = judge.faults(of: value, by: 0)
        #expect(judge.isExhausted, "\(schema.prefix(60))")
        var patient = try Self.judge(document, workLimit: SchemaJudge.leastWork)
        _ = patient.faults(of: value, by: 0)
        #expect(!patient.isExhausted, "\(schema.prefix(60))")
    }

    @Test("What there is no time left for is unknown, and its opposite too")
    func unknown() throws {
        var judge = try Self.judge(#"{"not": {"required": [\#(Self.list(Self.names))]}}"#, workLimit: 2)
        #expect(judge.verdict(on: .object([]), by: 0) == .unknown && judge.isExhausted)
        judge = try Self.judge(#"{"patternProperties": {"x": false}}"#, workLimit: 2)
        #expect(judge.verdict(on: .object([("x", .null), ("y", .null)]), by: 0) == .unknown && judge.isExhausted)
    }

    @Test("A pattern with many states is given up in the middle of a long text")
    func patterns() throws {
        var judge = try Self.judge(#"{"pattern": "^[ab]*a[ab]{900}c"}"#, workLimit: 10_000)
        // Not even a table of states as large as can be has an answer for each of these bytes.
        var state: UInt32 = 1
        var text = ""
        for _ in 0..<200_000 {
            state = state &* 1_664_525 &+ 1_013_904_223
            text += state >> 31 == 0 ? "a" : "b"
        }
        #expect(judge.verdict(on: .string(text), by: 0) == .unknown && judge.isExhausted)
    }

    @Test("The names on a long way are not written out for each value at its end")
    func ways() throws {
        // Twenty terabytes, if they were.
        let name = String(repeating: "n", count: 20_000_000)
        let value = JSONValue.object([(name, .array(Array(repeating: .null, count: 1_000_000)))])
        let document = #"{"additionalProperties": {"items": {"type": "null"}}}"#
        var judge = try Self.judge(document, workLimit: 10 * SchemaJudge.leastWork)
        #expect(judge.faults(of: value, by: 0).isEmpty && !judge.isExhausted)
    }

    /// An object below a name, all of whose members are wrong, and the schema that says so of each.
    private static func faulty(name length: Int, members count: Int) -> (document: String, value: JSONValue) {
        let properties = members(names.prefix(count), #"{"type": "integer"}"#)
        let wrong = JSONValue.object(names.prefix(count).map { ($0, .null) })
        let name = String(repeating: "n", count: length)
        return (#"{"additionalProperties": {"properties": {\#(properties)}}}"#, .object([(name, wrong)]))
    }

    @Test("The faults below a name that is longer than any have its beginning")
    func longNames() throws {
        let (document, value) = Self.faulty(name: 100_000, members: 50)
        var judge = try Self.judge(document, workLimit: SchemaJudge.leastWork)
        let faults = judge.faults(of: value, by: 0)
        #expect(faults.count == 50 && !judge.isExhausted)
        #expect(faults.allSatisfy { $0.pointer.hasPrefix("/nnn") && $0.pointer.utf8.count < 20_000 })
    }

    @Test("Faults that are too much text together are told in part")
    func manyFaults() throws {
        let (document, value) = Self.faulty(name: 9_000, members: 4_000)
        var judge = try Self.judge(document, workLimit: SchemaJudge.leastWork)
        let faults = judge.faults(of: value, by: 0)
        #expect(judge.isExhausted && faults.count > 1_000)
        #expect(faults.reduce(0) { $0 + $1.pointer.utf8.count } < 20 << 20)
    }

    @Test("What is only read of an object is looked for as long as there is time")
    func oneWay() throws {
        let links = (0..<400).map { ##""c\##($0)": {"allOf": [{"$ref": "#/$defs/c\##($0 + 1)"}]}"## }
        let chain = links.joined(separator: ", ") + #", "c400": {"readOnly": true}"#
        let properties = Self.members(Self.names.prefix(400), ##"{"$ref": "#/$defs/c0"}"##)
        let document = #"{"properties": {\#(properties)}, "required": ["n1", "x"], "$defs": {\#(chain)}}"#
        var judge = try Self.judge(document, .request, workLimit: 10_000)
        #expect(judge.verdict(on: .object([]), by: 0) == .unknown && judge.isExhausted)
        judge = try Self.judge(document, .request, workLimit: SchemaJudge.leastWork)
        #expect(judge.faults(of: .object([]), by: 0).map(\.sentence) == ["has no x, which is required"])
        #expect(!judge.isExhausted)
    }

    @Test("The same values have the same text however deep they lie, and others another")
    func canonical() {
        var (one, other) = (JSONValue.array([]), JSONValue.object([]))
        for _ in 0..<150 { (one, other) = (.array([one]), .object([("a", other)])) }
        #expect(one.canonical.utf8.count < 1_000 && other.canonical.utf8.count < 2_000)
        #expect(one.canonical != other.canonical)
        let pairs: [(JSONValue, JSONValue, Bool)] = [
            (.array([.array([.null]), .null]), .array([.array([.null, .null])]), false),
            (.array([.string("a,b")]), .array([.string("a"), .string("b")]), false),
            (.object([("a", .null), ("b", .null)]), .object([("b", .null), ("a", .null)]), true),
            (.object([("a", .object([("b", .null)]))]), .object([("a", .object([])), ("b", .null)]), false),
        ]
        for (left, right, isSame) in pairs { #expect((left.canonical == right.canonical) == isSame) }
    }
}
