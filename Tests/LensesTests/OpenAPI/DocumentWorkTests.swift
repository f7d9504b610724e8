import Support
import Testing
import Traffic

@testable import Lenses

@Suite("What reading a document costs", .timeLimit(.minutes(15)))
struct DocumentWorkTests {
    /// Documents of which two things grow together.
    enum Document: CaseIterable {
        case references, encodings, dynamicReferences, bounds, parameters

        /// How much there is the first time.
        var count: Int {
            switch self {
            case .references, .parameters: 1_000
            case .encodings, .bounds: 500
            case .dynamicReferences: 100
            }
        }

        func text(_ count: Int) -> String {
            func list(_ text: (Int) -> String) -> String { (0..<count).map(text).joined(separator: ", ") }
            switch self {
            case .references: return #"{"components": {\#(list { #""c\#($0)": {}"# })}}"#
            case .encodings:
                let schema = #"{"type": "object", "properties": {\#(list { #""p\#($0)": {}"# })}}"#
                let body = #"{"schema": \#(schema), "encoding": {\#(list { #""p\#($0)": {}"# })}}"#
                let content = #"{"content": {"application/x-www-form-urlencoded": \#(body)}}"#
                return #"{"openapi": "3.1.0", "paths": {"/x": {"post": {"requestBody": \#(content)}}}}"#
            case .dynamicReferences:
                let names = list { index in
                    let own = ##""$defs": {"x": {"$dynamicAnchor": "n"}}, "$dynamicRef": "#n""##
                    return #""r\#(index)": {"$id": "r\#(index)", \#(own)}"#
                }
                return #"{"allOf": [\#(list { #"{"$ref": "r\#($0)"}"# })], "$defs": {\#(names)}}"#
            case .bounds: return #"{\#(list { #""minimum": \#($0)"# })}"#
            case .parameters:
                let shared = list { #"{"name": "s\#($0)", "in": "query"}"# }
                let own = list { #"{"name": "o\#($0)", "in": "query"}"# }
                return
                    #"{"openapi": "3.1.0", "paths": {"/x": {"parameters": [\#(shared)], "get": {"parameters": [\#(own)]}}}}"#
            }
        }

        func read(_ value: JSONValue, _ count: Int) throws {
            switch self {
            case .references:
                let tree = DocumentTree(root: value, isOld: false)
                var found = 0
                for index in 0..<count {
                    let place = "#/components/c\(index)"
                    if try tree.followed(.object([("$ref", .string(place))]), "#").place == place { found += 1 }
                }
                #expect(found == count)
            case .encodings, .parameters: _ = try OpenAPIDocument(value)
            case .dynamicReferences, .bounds:
                var reader = SchemaReader(DocumentTree(root: value, isOld: false))
                _ = try reader.read(value, "#")
                #expect(reader.table.unchecked.isEmpty && reader.table.isDynamic == (self == .dynamicReferences))
            }
        }
    }

    @Test("Eight times as much of a document takes hardly more than eight times as long", arguments: Document.allCases)
    func grows(document: Document) throws {
        let factor = try WorkGrowth.factor(of: document.count) { count in
            (try JSONReader.value(Array(document.text(count).utf8)), count)
        } work: { (material: (value: JSONValue, count: Int)) in
            try document.read(material.value, material.count)
        }
        #expect(factor < WorkGrowth.limit, "\(factor)")
    }

    @Test("A place that can be written in several ways is one schema")
    func places() throws {
        let text =
            ##"{"allOf": [{"$ref": "#/x/~"}, {"$ref": "#/x/~0"}, {"$ref": "#/y/0"}], "x": {"~": {}}, "y": [{}]}"##
        let schema = try JSONReader.value(Array(text.utf8))
        var reader = SchemaReader(DocumentTree(root: schema, isOld: false))
        let number = try reader.read(schema, "#")
        let targets = reader.table[number].allOf.map { reader.table[$0].reference }
        #expect(targets[0] == targets[1] && targets[0] != targets[2])
        // An index has no zeros before it (RFC 6901 §4).
        let tree = DocumentTree(root: schema, isOld: false)
        #expect(throws: OpenAPIProblem.self) { _ = try tree.node(at: "#/y/00", from: "#") }
    }

    @Test("The places on a long way are not kept for each of its steps")
    func longWays() async throws {
        // In a process of its own, whose memory is no other test's.
        await #expect(processExitsWith: .success) {
            let names = (0..<190).map { "\($0)" + String(repeating: "n", count: 40_000) }
            let root = names.reversed().reduce(JSONValue.null) { .object([($1, $0)]) }
            let place = "#/" + names.joined(separator: "/")
            let before = try await ResidentMemory.bytes()
            let found = try DocumentTree(root: root, isOld: false).node(at: place, from: "#")
            let more = try await ResidentMemory.bytes() - before
            // All of them are 700 MB.
            #expect(found.value.isNull && found.place == place && more < 300 << 20, "\(more >> 20) MB")
        }
    }

    @Test("An expression is read once, and of very many different ones the rest is not checked")
    func patterns() throws {
        let many = (0..<2_002).map { #"{"pattern": "a\#($0 % 2_001)"}"# }.joined(separator: ", ")
        let schema = try JSONReader.value(Array(#"{"allOf": [\#(many)]}"#.utf8))
        var reader = SchemaReader(DocumentTree(root: schema, isOld: false))
        let number = try reader.read(schema, "#")
        #expect(reader.table.unchecked.map(\.keyword) == ["pattern a2000 (there are too many others)"])
        let last = try #require(reader.table[number].allOf.last)
        var work = 1_000
        #expect(reader.table[last].pattern?.matches("a0", work: &work) == true)
    }

    @Test("What is remembered of many expressions has one bound, and what was forgotten is found again")
    func manyPatterns() async throws {
        // In a process of its own, whose memory is no other test's.
        await #expect(processExitsWith: .success) {
            // A state for each letter of the text: more than a megabyte for each expression.
            let count = 60
            let list = (0..<count).map { #"{"pattern": "^a{1000}a{900}\#($0)$"}"# }.joined(separator: ", ")
            let schema = try JSONReader.value(Array(#"{"allOf": [\#(list)]}"#.utf8))
            var reader = SchemaReader(DocumentTree(root: schema, isOld: false), triedLimit: 20_000)
            let number = try reader.read(schema, "#")
            let before = try await ResidentMemory.bytes()
            for index in [0, count - 1] {
                var judge = SchemaJudge(reader.table)
                let text = JSONValue.string(String(repeating: "a", count: 1_900) + "\(index)")
                // One of them matches.
                let faults = judge.faults(of: text, by: number)
                #expect(faults.count == count - 1 && !judge.isExhausted, "\(faults.count)")
            }
            let more = try await ResidentMemory.bytes() - before
            #expect(more < 40 << 20, "\(more >> 20) MB")
        }
    }
}
