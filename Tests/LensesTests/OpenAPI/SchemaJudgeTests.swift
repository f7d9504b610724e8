import Foundation
import Support
import Testing
import Traffic

@testable import Lenses

@Suite("Values held to schemas", .timeLimit(.minutes(15)))
struct SchemaJudgeTests {
    /// Whether a value is as a schema wants it.
    private static func verdict(_ schema: JSONValue, _ value: JSONValue, isOld: Bool = false) throws -> Bool {
        var reader = SchemaReader(DocumentTree(root: schema, isOld: isOld))
        let number = try reader.read(schema, "#")
        var judge = SchemaJudge(reader.table)
        let holds = judge.holds(value, by: number)
        // What fails has a fault to tell, and what holds has none.
        #expect(judge.faults(of: value, by: number).isEmpty == holds)
        return holds
    }

    private static func value(_ json: String) throws -> JSONValue { try JSONReader.value(Array(json.utf8)) }

    @Test("Python's jsonschema says the same of random schemas and values")
    func agreesWithJSONSchema() async throws {
        var generator = SchemaGenerator(seed: 20_261_121)
        var lines: [UInt8] = []
        var ours: [Bool] = []
        var texts: [String] = []
        for _ in 0..<500 {
            let schema = generator.document()
            for _ in 0..<6 {
                let value = generator.value()
                ours.append(try Self.verdict(schema, value))
                var json = JSONWriter()
                json.object { json in
                    json.value("schema", schema)
                    json.value("value", value)
                }
                json.newline()
                let line = json.take()
                texts.append(String(decoding: line, as: UTF8.self))
                lines += line
            }
        }
        let program = """
            import json, sys
            from jsonschema import Draft202012Validator, FormatChecker
            formats = FormatChecker(["date", "date-time", "ipv4", "ipv6", "uuid"])
            for line in sys.stdin:
                pair = json.loads(line)
                try:
                    print(int(Draft202012Validator(pair["schema"], format_checker=formats).is_valid(pair["value"])))
                except RecursionError:
                    print(2)
            """
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let python = root.appending(path: ".build/venv/bin/python").path
        let result = try await CommandLineTool.run(python, ["-c", program], input: lines, within: .seconds(120))
        let theirs = result.output.split(separator: "\n").map(String.init)
        #expect(theirs.count == ours.count, "\(result.errors)")
        var known = 0
        for (index, their) in theirs.enumerated() where their != "2" {
            known += 1
            #expect(ours[index] == (their == "1"), "\(texts[index])")
        }
        let good = ours.count { $0 }
        #expect(known > 2_500 && good > 500 && ours.count - good > 500, "\(known) known, \(good) good of \(ours.count)")
    }

    @Test(
        "OpenAPI 3.0 has its own words",
        arguments: [
            (#"{"type": "string", "nullable": true}"#, "null", true),
            (#"{"type": "string"}"#, "null", false),
            (#"{"nullable": true, "allOf": [{"type": "object"}]}"#, "null", true),
            (#"{"minimum": 1, "exclusiveMinimum": true}"#, "1", false),
            (#"{"minimum": 1, "exclusiveMinimum": false}"#, "1", true),
            (#"{"maximum": 1, "exclusiveMaximum": true}"#, "0.5", true),
            (##"{"$ref": "#/x", "type": "string", "x": {"type": "integer"}}"##, "1", true),
        ]
    )
    func old(schema: String, value: String, holds: Bool) throws {
        #expect(try Self.verdict(Self.value(schema), Self.value(value), isOld: true) == holds)
    }

    @Test("A schema that leads round in a circle ends, and one that is a tree goes to the leaves")
    func circles() throws {
        let round = ##"{"allOf": [{"$ref": "#"}], "anyOf": [{"$ref": "#"}], "type": "integer"}"##
        #expect(try Self.verdict(Self.value(round), .number(1)))
        #expect(try !Self.verdict(Self.value(round), .string("")))
        let tree = ##"{"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": false}"##
        #expect(try Self.verdict(Self.value(tree), Self.value(#"{"next": {"next": {}}}"#)))
        #expect(try !Self.verdict(Self.value(tree), Self.value(#"{"next": {"next": {"other": 1}}}"#)))
    }

    @Test("A choice of choices that doubles the work at every level is given up, and said")
    func work() throws {
        let schema = try Self.value(
            ##"{"type": "object", "anyOf": [{"properties": {"n": {"$ref": "#"}}}, {"properties": {"n": {"$ref": "#"}}}]}"##
        )
        var value = JSONValue.null
        for _ in 0..<150 { value = .object([("n", value)]) }
        var reader = SchemaReader(DocumentTree(root: schema, isOld: false))
        let number = try reader.read(schema, "#")
        var judge = SchemaJudge(reader.table, workLimit: 100_000)
        _ = judge.faults(of: value, by: number)
        #expect(judge.isExhausted)
    }

    @Test("A list of choices and a list of values are not compared each with each")
    func enumerations() throws {
        func list(_ numbers: Range<Int>) -> String {
            let objects = numbers.map { #"{"id": \#($0), "name": "x", "tags": ["a", "b"], "more": {"n": null}}"# }
            return "[\(objects.joined(separator: ", "))]"
        }
        let factor = try WorkGrowth.factor(of: 250) { count in
            let schema = try Self.value(#"{"items": {"enum": \#(list(0..<count))}}"#)
            var reader = SchemaReader(DocumentTree(root: schema, isOld: false))
            _ = try reader.read(schema, "#")
            return (reader.table, try Self.value(list(0..<count)), try Self.value(list(count..<2 * count)))
        } work: { (material: (table: SchemaTable, known: JSONValue, others: JSONValue)) in
            // The schema of the whole has the first number.
            var judge = SchemaJudge(material.table)
            #expect(judge.faults(of: material.known, by: 0).isEmpty)
            #expect(!judge.faults(of: material.others, by: 0).isEmpty && !judge.isExhausted)
        }
        #expect(factor < WorkGrowth.limit, "\(factor)")
    }

    @Test("A choice that doubles the work at every level of a short body is given up soon")
    func doubling() throws {
        let schema = try Self.value(
            ##"{"type": "object", "anyOf": [{"properties": {"n": {"$ref": "#"}}}, {"properties": {"n": {"$ref": "#"}}}]}"##
        )
        var value = JSONValue.null
        for _ in 0..<150 { value = .object([("n", value)]) }
        var reader = SchemaReader(DocumentTree(root: schema, isOld: false))
        let number = try reader.read(schema, "#")
        var judge = SchemaJudge(reader.table)
        _ = judge.faults(of: value, by: number)
        #expect(judge.isExhausted && judge.work < 1_100_000, "\(judge.work)")
    }

    @Test("A chain of references may be as long as the document is")
    func chains() throws {
        let count = 3_000
        let links = (0..<count).map { ##""S\##($0)": {"$ref": "#/$defs/S\##($0 + 1)"}"## }.joined(separator: ", ")
        let text = ##"{"$ref": "#/$defs/S0", "$defs": {\##(links), "S\##(count)": {"type": "integer"}}}"##
        let schema = try Self.value(text)
        var reader = SchemaReader(DocumentTree(root: schema, isOld: false))
        let number = try reader.read(schema, "#")
        #expect(reader.table.schemas.count == count + 2)
        #expect(reader.table[count + 1].kinds == [.integer])
        // A value is followed as far as is bearable, and what lies beyond is said not to be checked.
        var judge = SchemaJudge(reader.table)
        #expect(judge.faults(of: .string("x"), by: number).isEmpty && judge.isExhausted)
    }

    @Test("What a schema of many choices takes is found by looking at each schema once")
    func choices() throws {
        let levels = 19
        let choice = { (level: Int) in
            Array(repeating: ##"{"$ref": "#/$defs/L\##(level)"}"##, count: 16).joined(separator: ", ")
        }
        let members = (0..<levels).map { #""L\#($0)": {"anyOf": [\#(choice($0 + 1))]}"# }.joined(separator: ", ")
        let leaf = #""L\#(levels)": {"type": "string", "properties": {"deep": {}}}"#
        let schema = try Self.value(##"{"$ref": "#/$defs/L0", "$defs": {\##(members), \##(leaf)}}"##)
        var reader = SchemaReader(DocumentTree(root: schema, isOld: false))
        let number = try reader.read(schema, "#")
        // Twenty levels are followed; the leaf is seen from a place nearer to it.
        var work = 10_000
        let (kinds, parts) = (reader.table.kinds(of: number, work: &work), reader.table.parts(of: number, work: &work))
        #expect(kinds == .any && parts.properties.isEmpty)
        let nearer = try #require(reader.table.number(at: "#/$defs/L15"))
        let (near, own) = (reader.table.kinds(of: nearer, work: &work), reader.table.parts(of: nearer, work: &work))
        #expect(near == [.string] && own.properties.keys.map(\.text) == ["deep"])
        // Each time that a schema is come to is counted.
        #expect(work > 8_000 && work < 9_500)
    }

    @Test(
        "A multiple is one however large the number is",
        arguments: [
            ("2", "1000000001", false), ("2", "1000000002", true), ("0.01", "19.99", true), ("0.01", "19.995", false),
            ("3", "9007199254740990", true), ("3", "9007199254740991", false), ("0.5", "1e300", true), ("7", "0", true),
            ("0.01", "137438953472.02", true), ("0.000001", "1763647323.456789", true),
        ]
    )
    func multiples(factor: String, number: String, holds: Bool) throws {
        #expect(try Self.verdict(Self.value(#"{"multipleOf": \#(factor)}"#), Self.value(number)) == holds)
    }

    @Test("A fault has its pointer and the place of the schema; of many alike five are told")
    func faults() throws {
        let schema = try Self.value(
            ##"{"items": {"properties": {"a/b": {"$ref": "#/$defs/N"}}}, "$defs": {"N": {"type": "integer", "maximum": 9}}}"##
        )
        var reader = SchemaReader(DocumentTree(root: schema, isOld: false))
        let number = try reader.read(schema, "#")
        var judge = SchemaJudge(reader.table)
        let elements = (0..<20).map { _ in JSONValue.object([("a/b", .string("x"))]) }
        let faults = judge.faults(of: .array(elements), by: number)
        #expect(faults.map(\.pointer) == (0..<5).map { "/\($0)/a~1b" })
        #expect(faults.map(\.more) == [0, 0, 0, 0, 15])
        #expect(faults.first?.place == "#/$defs/N/type")
        #expect(faults.first?.sentence == "is \"x\"; expected integer")
    }

    @Test(
        "What is not understood is neither kept nor broken",
        arguments: [
            (#"{"not": {"if": {"pattern": "(?=a)"}, "then": {"minLength": 2}}}"#, #""b""#, true),
            (
                #"{"anyOf": [{"properties": {"a": {"pattern": "(?=a)"}}}], "unevaluatedProperties": false}"#,
                #"{"a": "b"}"#, true
            ),
            (#"{"not": {"pattern": "(?=a)"}}"#, #""b""#, true),
            (#"{"not": {"format": "isbn"}}"#, #""x""#, true), (#"{"not": {"format": "isbn"}}"#, "1", true),
            (#"{"not": {"format": "regex"}}"#, #""x""#, true), (#"{"not": {"format": "regex"}}"#, "1", false),
            (#"{"not": {"format": "hostname"}}"#, #""a.XN--a-qib.test""#, true),
            (#"{"format": "hostname"}"#, #""a.XN--a-qib.test""#, true),
            (#"{"not": {"format": "email"}}"#, #""a@xn--a-qib.test""#, true),
            (#"{"not": {"format": "hostname"}}"#, #""xn--bcher-kva.test""#, false),
            (#"{"not": {"format": "hostname"}}"#, #""a.xn.test""#, false),
            (#"{"oneOf": [{"pattern": "(?=a)"}, {"type": "string"}]}"#, #""b""#, true),
            (##"{"oneOf": [{"$dynamicRef": "#x"}, {"type": "integer"}]}"##, "1", true),
            (#"{"patternProperties": {"(?=x)": {}}, "additionalProperties": false}"#, #"{"xa": 1}"#, true),
            (#"{"contains": {"pattern": "(?=a)"}, "maxContains": 0, "minContains": 0}"#, #"["b"]"#, true),
            // What is sure all the same.
            (#"{"oneOf": [{"type": "string"}, {"maxLength": 9}, {"pattern": "(?=a)"}]}"#, #""b""#, false),
            (#"{"not": {"anyOf": [{"type": "string"}, {"pattern": "(?=a)"}]}}"#, #""b""#, false),
            (#"{"allOf": [{"pattern": "(?=a)"}, {"type": "integer"}]}"#, #""b""#, false),
            (#"{"anyOf": [{"$recursiveRef": "x", "type": "integer"}, {"type": "null"}]}"#, #""b""#, false),
            (#"{"contains": {"pattern": "(?=a)"}, "minContains": 2}"#, #"["b"]"#, false),
            (#"{"not": {"unevaluatedProperties": false}}"#, "1", false),
            (#"{"if": {"pattern": "(?=a)"}, "then": {"minLength": 2}, "else": {"minLength": 3}}"#, #""b""#, false),
            (##"{"not": {"$schema": "http://x.test/own", "type": "integer"}}"##, #""b""#, true),
            (##"{"$schema": "http://x.test/own", "type": "integer"}"##, #""b""#, true),
            (##"{"not": {"$ref": "http://x.test/other.json"}}"##, "1", true),
            (##"{"not": {"$ref": "a"}, "$defs": {"a": {"$id": "a"}, "b": {"$id": "a", "type": "null"}}}"##, "1", true),
        ]
    )
    func notUnderstood(schema: String, value: String, mayHold: Bool) throws {
        #expect(try Self.verdict(Self.value(schema), Self.value(value)) == mayHold)
    }

    @Test(
        "What holds for some values only is asked of those",
        arguments: [
            (#"{"if": {"minimum": 10}, "then": {"multipleOf": 10}, "else": {"const": 1}}"#, ["20", "1"], ["11", "2"]),
            (#"{"if": {"minimum": 10}, "then": false}"#, ["9"], ["10"]),
            (#"{"if": {"minimum": 10}, "else": false}"#, ["10"], ["9"]),
            (#"{"if": false}"#, ["1"], []), (#"{"then": false, "else": false}"#, ["1"], []),
            (
                #"{"dependentSchemas": {"card": {"required": ["name"]}, "x": false}}"#,
                [#"{"card": 1, "name": 2}"#, #"{"name": 2}"#, "1"], [#"{"card": 1}"#, #"{"x": 1}"#]
            ),
        ] as [(String, [String], [String])]
    )
    func conditions(schema: String, good: [String], bad: [String]) throws {
        for value in good { #expect(try Self.verdict(Self.value(schema), Self.value(value)), "\(value)") }
        for value in bad { #expect(try !Self.verdict(Self.value(schema), Self.value(value)), "\(value)") }
        // OpenAPI 3.0 has none of these keywords.
        for value in bad { #expect(try Self.verdict(Self.value(schema), Self.value(value), isOld: true)) }
    }

    @Test(
        "What nothing else for the value speaks of is the rest",
        arguments: [
            (
                #"{"allOf": [{"properties": {"a": true}}], "properties": {"b": true}, "unevaluatedProperties": false}"#,
                [#"{"a": 1, "b": 1}"#, "1"], [#"{"c": 1}"#]
            ),
            (
                #"{"anyOf": [{"required": ["a"], "properties": {"a": true}}, {"properties": {"b": true}}], "unevaluatedProperties": {"type": "integer"}}"#,
                [#"{"a": "x", "b": "x"}"#, #"{"b": "x", "a": 1}"#, #"{"c": 1}"#],
                [#"{"c": "x"}"#, #"{"b": 1, "c": null}"#]
            ),
            (
                #"{"if": {"properties": {"a": {"const": 1}}}, "then": {"properties": {"b": true}}, "unevaluatedProperties": false}"#,
                [#"{"a": 1, "b": 1}"#, #"{"b": 1}"#], [#"{"a": 2}"#]
            ),
            (
                #"{"dependentSchemas": {"a": {"properties": {"b": true}}}, "properties": {"a": true}, "unevaluatedProperties": false}"#,
                [#"{"a": 1, "b": 1}"#], [#"{"b": 1}"#]
            ),
            (
                #"{"allOf": [{"unevaluatedProperties": true}], "unevaluatedProperties": false}"#, [#"{"a": 1}"#], []
            ),
            (
                #"{"allOf": [{"properties": {"a": true}}, {"unevaluatedProperties": false}]}"#, ["{}"], [#"{"a": 1}"#]
            ),
            (#"{"not": {"not": {"properties": {"a": true}}}, "unevaluatedProperties": false}"#, ["{}"], [#"{"a": 1}"#]),
            (#"{"patternProperties": {"^x": true}, "unevaluatedProperties": false}"#, [#"{"xa": 1}"#], [#"{"a": 1}"#]),
            (
                #"{"prefixItems": [true], "allOf": [{"prefixItems": [true, true]}], "unevaluatedItems": false}"#,
                ["[1, 2]", "{}"], ["[1, 2, 3]"]
            ),
            (
                #"{"contains": {"type": "string"}, "unevaluatedItems": {"type": "integer"}}"#, [#"["a", 1]"#],
                [#"["a", null]"#]
            ),
            (
                #"{"oneOf": [{"items": {"type": "integer"}}, {"maxItems": 0}], "unevaluatedItems": false}"#, ["[1]"],
                [#"["a"]"#]
            ),
            (
                ##"{"properties": {"a": true, "next": {"$ref": "#"}}, "$ref": "#/x", "x": {"properties": {"b": true}}, "unevaluatedProperties": false}"##,
                [#"{"a": 1, "b": 1, "next": {"b": 1}}"#], [#"{"next": {"c": 1}}"#]
            ),
        ] as [(String, [String], [String])]
    )
    func rest(schema: String, good: [String], bad: [String]) throws {
        for value in good { #expect(try Self.verdict(Self.value(schema), Self.value(value)), "\(value)") }
        for value in bad { #expect(try !Self.verdict(Self.value(schema), Self.value(value)), "\(value)") }
    }

    @Test("What is not checked is said once, by its first place")
    func unchecked() throws {
        let schema = try Self.value(
            #"{"dependencies": {}, "allOf": [{"dependencies": {}}, {"pattern": "(?=a)"}, {"format": "isbn"}, {"format": "password"}], "title": "x", "x-more": 1}"#
        )
        var reader = SchemaReader(DocumentTree(root: schema, isOld: false))
        _ = try reader.read(schema, "#")
        #expect(
            reader.table.unchecked.map(\.keyword).map { $0.prefix(12) } == [
                "dependencies", "pattern (?=a", "format isbn",
            ]
        )
        #expect(reader.table.unchecked.first?.place == "#")
    }

    @Test(
        "Formats take what their standards take",
        arguments: [
            (.date, "2024-02-29", true), (.date, "2023-02-29", false), (.date, "2024-2-9", false),
            (.time, "23:59:60Z", true), (.time, "22:59:60Z", false), (.time, "01:29:60+01:30", true),
            (.time, "15:59:60-08:00", true), (.time, "23:59:60+01:00", false),
            (.duration, "P2W", true), (.duration, "P1Y2W", false), (.duration, "PW", false),
            (.email, ".a@example.test", false), (.email, "a..b@example.test", false),
            (.email, "a.b@example.test", true), (.email, "\"a b@c\"@example.test", true), (.email, "\"a\"b\"@x", false),
            (.email, "a@[127.0.0.1]", true), (.email, "a@[127.0.0.300]", false), (.email, "a@[IPv6:::1]", true),
            (.email, "a@b=c.test", false), (.email, "a@", false), (.email, "\"@x", false), (.email, "\"a\\\"@x", false),
            (.duration, "P1Y2D", false), (.duration, "PT1H2S", false), (.duration, "P1Y2M3DT4H5M6S", true),
            (.duration, "P1DT1M", true), (.uri, "http:/[::1]", false), (.uri, "https://[@x.test/", false),
            (.uri, "http://[::ffff:01.2.3.4]", false), (.uri, "http://[v1.a]/", true), (.uri, "http://[v1]/", false),
            (.uri, "http://x/?a[b]=1", false), (.uri, "http://x]/", false),
            (.uri, "http://u:@x:1/a:b@c?d/?e#f/?", true),
            (.uriReference, "1:b", false), (.uriReference, "./1:b", true), (.uriReference, "//a@b@x/", false),
            (.uriReference, "//", true), (.uriReference, "", true), (.uriReference, "a#b#c", false),
            (.email, "\"a..b\"@example.test", true), (.uri, "http://x:abc/", false), (.uri, "http://x:80/", true),
            (.uri, "http://[::1]:80/", true), (.uri, "http://u:p@x:8o/", false), (.uri, "urn:a:b//c:d", true),
            (.uri, "http://x:/", true), (.time, "12:00:00", false), (.time, "12:00:00+24:00", false),
            (.dateTime, "1998-12-31t23:59:60.5z", true), (.dateTime, "2026-11-21T10:00Z", false),
            (.duration, "P3Y6M4DT12H30M5S", true), (.duration, "PT", false), (.duration, "P1", false),
            (.duration, "3D", false),
            (.email, "ada@example.test", true), (.email, "a b@example.test", false), (.email, "@x", false),
            (.hostname, "api.example.test", true), (.hostname, "-a.test", false), (.hostname, "a..b", false),
            (.ipv4, "255.0.0.1", true), (.ipv4, "255.0.1", false), (.ipv6, "::", true),
            (.ipv6, "1:2:3:4:5:6:7::", true),
            (.ipv6, "12345::", false), (.ipv6, ":1", false), (.uuid, "00000000-0000-0000-0000-00000000000g", false),
            (.uri, "https://example.test/a?b=%20", true), (.uri, "/a", false), (.uri, "https://x/ y", false),
            (.uri, "https://x/%zz", false),
            (.uriReference, "/a#b", true), (.byte, "aGk=", true), (.byte, "a", false),
        ] as [(SchemaFormat, String, Bool)]
    )
    func formats(format: SchemaFormat, text: String, holds: Bool) {
        #expect(format.holds(text) == holds)
    }

    @Test(
        "Whole numbers are of their widths",
        arguments: [(2_147_483_647.0, true), (2_147_483_648, false), (-2_147_483_648, true), (0.5, false)]
    )
    func widths(number: Double, holds: Bool) throws {
        #expect(try Self.verdict(Self.value(#"{"format": "int32"}"#), .number(number)) == holds)
        #expect(try Self.verdict(Self.value(#"{"format": "int64"}"#), .number(number)) == (number != 0.5))
    }
}
