import Testing
import Traffic

@testable import Lenses

@Suite("Names that look the same and are not", .timeLimit(.minutes(15)))
struct ExactNameTests {
    private static func value(_ json: String) throws -> JSONValue { try JSONReader.value(Array(json.utf8)) }

    /// Schemas with what they take and what they do not; an é is written as one character, or as an e with an accent behind it.
    private static let rows: [(schema: String, good: [String], bad: [String])] = [
        (#"{"required": ["\u00e9"]}"#, [#"{"\u00e9": 1}"#], [#"{"e\u0301": 1}"#]),
        (
            #"{"properties": {"\u00e9": {"type": "string"}}, "additionalProperties": false}"#, [#"{"\u00e9": "x"}"#],
            [#"{"e\u0301": "x"}"#]
        ),
        (
            #"{"properties": {"\u00e9": {"type": "string"}, "e\u0301": {"type": "integer"}}}"#,
            [#"{"\u00e9": "x", "e\u0301": 1}"#], [#"{"\u00e9": 1}"#, #"{"e\u0301": "x"}"#]
        ),
        (#"{"dependentRequired": {"\u00e9": ["a"]}}"#, [#"{"e\u0301": 1}"#], [#"{"\u00e9": 1}"#]),
        (#"{"dependentRequired": {"a": ["\u00e9"]}}"#, [#"{"a": 1, "\u00e9": 1}"#], [#"{"a": 1, "e\u0301": 1}"#]),
        (#"{"dependentSchemas": {"\u00e9": false}}"#, [#"{"e\u0301": 1}"#], [#"{"\u00e9": 1}"#]),
        (#"{"minProperties": 2}"#, [#"{"\u00e9": 1, "e\u0301": 1}"#], [#"{"\u00e9": 1}"#]),
        (
            #"{"properties": {"\u00e9": true}, "unevaluatedProperties": false}"#, [#"{"\u00e9": 1}"#],
            [#"{"e\u0301": 1}"#]
        ),
    ]

    @Test("A name of a schema is that of the same bytes", arguments: ExactNameTests.rows.indices)
    func names(row: Int) throws {
        let (schema, good, bad) = Self.rows[row]
        let document = try Self.value(schema)
        var reader = SchemaReader(DocumentTree(root: document, isOld: false))
        let number = try reader.read(document, "#")
        for (text, holds) in good.map({ ($0, true) }) + bad.map({ ($0, false) }) {
            var judge = SchemaJudge(reader.table)
            #expect(try judge.faults(of: Self.value(text), by: number).isEmpty == holds, "\(schema) \(text)")
        }
    }

    @Test("What is only read is so by the same bytes too")
    func oneWay() throws {
        let document = try Self.value(
            #"{"properties": {"\u00e9": {"readOnly": true}}, "required": ["\u00e9", "e\u0301"]}"#
        )
        var reader = SchemaReader(DocumentTree(root: document, isOld: false))
        let number = try reader.read(document, "#")
        var judge = SchemaJudge(reader.table, direction: .request)
        #expect(judge.faults(of: .object([]), by: number).count == 1)
    }

    @Test(
        "A reference leads to the value whose name has its bytes, also where an accent stands behind a sign of the pointer",
        arguments: [
            (#"{"\u00e9": 1, "e\u0301": 2}"#, "#/\u{E9}", 1), (#"{"\u00e9": 1, "e\u0301": 2}"#, "#/e\u{301}", 2),
            (#"{"a/\u0301": 3}"#, "#/a~1\u{301}", 3), (#"{"a~\u0301": 4}"#, "#/a~0\u{301}", 4),
            (#"{"": {"\u0301a": 5}}"#, "#//\u{301}a", 5), (#"{"~1": 6}"#, "#/~01", 6), (#"{"~/": 7}"#, "#/~~1", 7),
        ]
    )
    func references(document: String, pointer: String, value: Int) throws {
        let tree = DocumentTree(root: try Self.value(document), isOld: false)
        #expect(try tree.node(at: pointer, from: "#").value.integer == Int64(value))
    }
}
