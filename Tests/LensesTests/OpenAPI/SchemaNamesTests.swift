import Testing
import Traffic

@testable import Lenses

@Suite("Schemas by their names", .timeLimit(.minutes(15)))
struct SchemaNamesTests {
    /// What a schema says of some values, and what of it is not checked.
    private static func verdicts(_ json: String, _ values: [String]) throws -> ([SchemaVerdict], unchecked: [String]) {
        let schema = try JSONReader.value(Array(json.utf8))
        var reader = SchemaReader(DocumentTree(root: schema, isOld: false))
        let number = try reader.read(schema, "#")
        let verdicts = try values.map { value in
            var judge = SchemaJudge(reader.table)
            return judge.verdict(on: try JSONReader.value(Array(value.utf8)), by: number)
        }
        return (verdicts, reader.table.unchecked.map(\.keyword))
    }

    @Test(
        "A reference leads to what has its name, wherever that stands",
        arguments: [
            ##"{"$ref": "#name", "$defs": {"a": {"$anchor": "name", "type": "integer"}}}"##,
            ##"{"$ref": "a.json", "$defs": {"a": {"$id": "a.json", "type": "integer"}}}"##,
            ##"{"$ref": "http://x.test/a", "$defs": {"a": {"$id": "http://x.test/a", "type": "integer"}}}"##,
            ##"{"$ref": "urn:x:a#/$defs/b", "$defs": {"a": {"$id": "urn:x:a", "$defs": {"b": {"type": "integer"}}}}}"##,
            ##"{"$ref": "a", "$defs": {"a": {"$id": "a", "$ref": "#/$defs/b", "$defs": {"b": {"type": "integer"}}}, "b": false}}"##,
            ##"{"$ref": "a/b#c", "$defs": {"a": {"$id": "a/", "$defs": {"b": {"$id": "b", "$anchor": "c", "type": "integer"}}}}}"##,
            ##"{"$dynamicRef": "#name", "$defs": {"a": {"$dynamicAnchor": "name", "type": "integer"}}}"##,
            ##"{"$ref": "#name", "const": 1, "$defs": {"a": {"enum": [{"$anchor": "name"}]}, "b": {"$anchor": "name", "type": "integer"}}}"##,
            // A property may be called as a keyword is.
            ##"{"$ref": "#name", "properties": {"default": {"$anchor": "name", "type": "integer"}}}"##,
            // References into the document itself need no name of it, and none that only it has.
            ##"{"$id": "a", "$ref": "#/$defs/b", "$defs": {"b": {"type": "integer"}, "a": {"$id": "a"}}}"##,
            ##"{"$id": "", "$ref": "#/$defs/b", "$defs": {"b": {"type": "integer"}}}"##,
            // What a resource has no such place for leads into the document.
            ##"{"$ref": "#/$defs/a", "$defs": {"a": {"$id": "a", "$ref": "#/$defs/b"}, "b": {"type": "integer"}}}"##,
            ##"{"$ref": "#/$defs/a", "$defs": {"a": {"$id": "a", "allOf": [{"$ref": "#/$defs/b%20c"}]}, "b c": {"type": "integer"}}}"##,
            // Escapes of a URI are undone once.
            ##"{"$ref": "#/$defs/%2541", "$defs": {"%41": {"type": "integer"}, "A": false}}"##,
            ##"{"$ref": "#/$defs/a%20b", "$defs": {"a b": {"$id": "x", "$ref": "#/y", "y": {"type": "integer"}}}, "y": false}"##,
            ##"{"$ref": "#name", "$defs": {"%41": {"$anchor": "name", "type": "integer"}, "A": false}}"##,
        ]
    )
    func names(schema: String) throws {
        let (verdicts, unchecked) = try Self.verdicts(schema, ["1", #""x""#])
        #expect(verdicts == [.holds, .fails] && unchecked.isEmpty)
    }

    /// Lists of elements that another schema says what they are, and two that say it.
    private static let lists = ##"""
        "list": {"$id": "list", "type": "array", "items": {"$dynamicRef": "#item"},
            "$defs": {"any": {"$dynamicAnchor": "item"}}},
        "texts": {"$id": "texts", "$ref": "list", "$defs": {"x": {"$dynamicAnchor": "item", "type": "string"}}},
        "counts": {"$id": "counts", "$ref": "list", "$defs": {"x": {"$dynamicAnchor": "item", "type": "integer"}}}
        """##

    @Test(
        "A dynamic reference leads to the schema of its name that is the outermost on the way to it",
        arguments: [
            (#"{"$ref": "list"}"#, [.holds, .holds]), (#"{"$ref": "texts"}"#, [.holds, .fails]),
            (#"{"$ref": "counts"}"#, [.fails, .holds]),
            (#"{"allOf": [{"$ref": "texts"}, {"$ref": "list"}]}"#, [.holds, .fails]),
            (#"{"anyOf": [{"$ref": "texts"}, {"$ref": "counts"}]}"#, [.holds, .holds]),
            (#"{"not": {"$ref": "counts"}}"#, [.holds, .fails]),
            // Another way to it that has been left says nothing.
            (#"{"if": {"$ref": "texts"}, "then": true, "else": {"$ref": "counts"}}"#, [.holds, .holds]),
            (#"{"$ref": "texts", "unevaluatedItems": false}"#, [.holds, .fails]),
        ] as [(String, [SchemaVerdict])]
    )
    func dynamicReferences(schema: String, wanted: [SchemaVerdict]) throws {
        let document = "\(schema.dropLast()), \"$defs\": {\(Self.lists)}}"
        let (verdicts, unchecked) = try Self.verdicts(document, [#"["a"]"#, "[1]"])
        #expect(verdicts == wanted && unchecked.isEmpty)
    }

    @Test("What a dynamic reference leads to speaks of the members that it has")
    func dynamicRest() throws {
        let tree =
            ##""tree": {"$id": "tree", "$dynamicAnchor": "node", "properties": {"data": true, "below": {"items": {"$dynamicRef": "#node"}}}}"##
        let strict =
            ##"{"$id": "strict", "$dynamicAnchor": "node", "$ref": "tree", "unevaluatedProperties": false, "$defs": {\##(tree)}}"##
        let values = [#"{"below": [{"data": 1}]}"#, #"{"below": [{"daat": 1}]}"#]
        #expect(try Self.verdicts(strict, values).0 == [.holds, .fails])
        #expect(try Self.verdicts(#"{"$ref": "tree", "$defs": {\#(tree)}}"#, values).0 == [.holds, .holds])
    }

    @Test("What a dynamic reference leads to on another way speaks of other members")
    func dynamicWays() throws {
        let base = ##""base": {"$id": "base", "$dynamicRef": "#names", "$defs": {"x": {"$dynamicAnchor": "names"}}}"##
        let ways = ["a", "b"].map { name in
            let own = ##"{"$dynamicAnchor": "names", "properties": {"\##(name)": true}}"##
            return ##""\##(name)": {"$id": "\##(name)", "$ref": "base", "$defs": {"x": \##(own)}}"##
        }
        let names = ([base] + ways).joined(separator: ", ")
        let both = ##""allOf": [{"$ref": "a"}, {"$ref": "b"}]"##
        let schema = ##"{\##(both), "unevaluatedProperties": false, "$defs": {\##(names)}}"##
        let values = [#"{"a": 1, "b": 1}"#, #"{"a": 1, "c": 1}"#]
        #expect(try Self.verdicts(schema, values).0 == [.holds, .fails])
    }

    @Test("A resource that leads round to itself on the same value ends, and speaks of what it has")
    func dynamicCircles() throws {
        let schema =
            ##"{"$ref": "a", "unevaluatedProperties": false, "$defs": {"a": {"$id": "a", "$dynamicAnchor": "n", "properties": {"x": true}, "$ref": "b"}, "b": {"$id": "b", "$dynamicAnchor": "n", "properties": {"y": true}, "anyOf": [{"$dynamicRef": "#n"}, true]}}}"##
        let (verdicts, unchecked) = try Self.verdicts(schema, [#"{"x": 1, "y": 1}"#])
        #expect(verdicts != [.fails] && unchecked.isEmpty)
    }

    @Test("Names that are long by themselves or all together are refused, or named by nothing")
    func longNames() throws {
        func document(_ length: Int, _ count: Int, _ schema: String = "{}") -> String {
            let members = (0..<count).map { #""p\#($0)": \#(schema)"# }.joined(separator: ", ")
            let name = String(repeating: "n", count: length)
            let named = ##""$ref": "#a", "not": {"$anchor": "a", "type": "null"}"##
            return ##"{\##(named), "properties": {"\##(name)": {"properties": {\##(members)}}}}"##
        }
        #expect(throws: OpenAPIProblem.self) { try Self.verdicts(document(20_000, 1), ["1"]) }
        #expect(throws: OpenAPIProblem.self) { try Self.verdicts(document(9_000, 8_000), ["1"]) }
        #expect(try Self.verdicts(document(9_000, 2_000), ["1"]).0 == [.fails])
        // A name more than is kept may have been any name.
        let (verdicts, unchecked) = try Self.verdicts(document(9_000, 2_000, #"{"$anchor": "b"}"#), ["1"])
        #expect(verdicts == [.unknown] && unchecked == ["$ref to #a"])
    }

    @Test(
        "A name that two schemas have names none, and a dialect of somebody's own is not read",
        arguments: [
            (
                ##"{"$dynamicRef": "#n", "$defs": {"a": {"$dynamicAnchor": "n"}, "b": {"$dynamicAnchor": "n"}}}"##,
                "$dynamicRef to #n"
            ),
            (
                ##"{"$dynamicRef": "#n", "$defs": {"a": {"$dynamicAnchor": "n"}, "x": {"$id": "x", "$defs": {"b": {"$dynamicAnchor": "n"}, "c": {"$dynamicAnchor": "n"}}}}}"##,
                "$dynamicRef"
            ),
            (##"{"$ref": "#n", "$defs": {"a": {"$anchor": "n"}, "b": {"$anchor": "n"}}}"##, "$ref to #n"),
            (#"{"$ref": "a", "$defs": {"a": {"$id": "a"}, "b": {"$id": "a"}}}"#, "$ref to a"),
            (#"{"$ref": "b.json"}"#, "$ref to b.json"),
            (#"{"jsonSchemaDialect": "http://x.test/own", "type": "null"}"#, "$schema http://x.test/own"),
        ]
    )
    func repeated(schema: String, keyword: String) throws {
        let (verdicts, unchecked) = try Self.verdicts(schema, ["1"])
        #expect(verdicts == [.unknown] && unchecked == [keyword])
    }
}
