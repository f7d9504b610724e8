import Testing
import Traffic

@testable import Lenses

@Suite("What holding captures to a document costs", .timeLimit(.minutes(15)))
struct OpenAPIWorkTests {
    private static let levels = (0..<11).map { level in
        let next = ##"{"$ref": "#/components/schemas/D\##(level + 1)"}"##
        return #""D\#(level)": {"allOf": [\#(next), \#(next)]}"#
    }
    /// A schema by which a number is refused in some 8,000 steps, and a text is taken in a few.
    private static let schemas = ##"""
        "costly": {"anyOf": [{"allOf": [{"$ref": "#/components/schemas/D0"}, {"maximum": 0}]}, {"type": "string"}]},
        \##(levels.joined(separator: ", ")), "D11": {"type": "number"}
        """##
    fileprivate static let costly = ##"{"$ref": "#/components/schemas/costly"}"##

    /// Parts of an exchange, so many of each.
    enum Part: CaseIterable {
        case parameters, elements, fields, formFields

        /// What the document says of the operation.
        func operation(_ count: Int) -> String {
            let costly = OpenAPIWorkTests.costly
            let members = (0..<count).map { #""p\#($0)": \#(costly)"# }.joined(separator: ", ")
            let answer = #""content": {"application/json": {"schema": {"type": "array"}}}"#
            switch self {
            case .parameters:
                let parameters = (0..<count).map { #"{"name": "p\#($0)", "in": "query", "schema": \#(costly)}"# }
                return #""parameters": [\#(parameters.joined(separator: ", "))], "responses": {"200": {\#(answer)}}"#
            case .elements:
                let list = #"{"name": "p", "in": "query", "schema": {"type": "array", "items": \#(costly)}}"#
                return #""parameters": [\#(list)], "responses": {"200": {\#(answer)}}"#
            case .fields:
                let fields = (0..<count).map { #""p\#($0)": {"schema": \#(costly)}"# }.joined(separator: ", ")
                return #""responses": {"200": {"headers": {\#(fields)}, \#(answer)}}"#
            case .formFields:
                let form = #"{"schema": {"type": "object", "properties": {\#(members)}}}"#
                let body = #""content": {"application/x-www-form-urlencoded": \#(form)}"#
                return #""requestBody": {\#(body)}, "responses": {"200": {\#(answer)}}"#
            }
        }

        /// An exchange that has them, and answers with another value than it should.
        func capture(_ count: Int) -> Capture {
            let pairs = (0..<count).map { self == .elements ? "p=1" : "p\($0)=1" }.joined(separator: "&")
            let isForm = self == .formFields
            return OpenAPICapture.make(
                "POST",
                "https://a.test/x" + (self == .parameters || self == .elements ? "?\(pairs)" : ""),
                sent: isForm ? pairs : nil,
                sentType: isForm ? "application/x-www-form-urlencoded" : nil,
                answer: "{}",
                answerFields: self == .fields ? (0..<count).map { "p\($0): 1\r\n" }.joined() : ""
            )
        }
    }

    @Test(
        "All parts of an exchange together may cost so much, and the answer's body has its own",
        arguments: Part.allCases
    )
    func shared(part: Part) throws {
        func result(_ count: Int) throws -> OpenAPICheck.Result {
            let operation = part.operation(count)
            let document = try OpenAPICapture.document(
                #"{"openapi": "3.0.3", "paths": {"/x": {"post": {\#(operation)}}}, "components": {"schemas": {\#(Self.schemas)}}}"#
            )
            return OpenAPICheck(document).check(part.capture(count), within: SchemaBudget(least: 125_000))
        }
        let few = try result(3)
        #expect(few.unchecked.isEmpty && few.findings.map(\.rule) == ["OA-schema"], "\(few)")
        let many = try result(80)
        #expect(many.unchecked.contains { $0.contains("too much work") }, "\(many)")
        #expect(many.findings.map(\.rule) == ["OA-schema"])
    }

    /// Documents and requests that grow together.
    private static let growing: [(String, document: @Sendable (Int) -> String, target: @Sendable (Int) -> String)] = [
        (
            "parameters and names of a query",
            { count in
                let names = (0..<count).map { #"{"name": "p\#($0)", "in": "query", "schema": {}}"# }
                return #""paths": {"/x": {"get": {"parameters": [\#(names.joined(separator: ", "))]}}}"#
            }, { count in "/x?" + (0..<count).map { "q\($0)=1" }.joined(separator: "&") }
        ),
        (
            "servers and paths",
            { count in
                let servers = (0..<count).map { _ in #"{"url": "https://a.test/v1"}"# }.joined(separator: ", ")
                let paths = (0..<count).map { #""/x/{a}/p\#($0)": {}"# }.joined(separator: ", ")
                return #""servers": [\#(servers)], "paths": {\#(paths)}"#
            }, { _ in "/v1/x/y/z" }
        ),
    ]

    @Test("A document's parts are not gone through for each of a request", arguments: OpenAPIWorkTests.growing.indices)
    func requests(row: Int) throws {
        let (name, document, target) = Self.growing[row]
        let factor = try WorkGrowth.factor(of: 200) { count in
            let check = OpenAPICheck(try OpenAPICapture.document(#"{"openapi": "3.1.0", \#(document(count))}"#))
            return (check, OpenAPICapture.make("GET", "https://a.test\(target(count))", code: nil))
        } work: { (material: (check: OpenAPICheck, capture: Capture)) in
            #expect(!material.check.check(material.capture).findings.isEmpty)
        }
        #expect(factor < WorkGrowth.limit, "\(name): \(factor)")
    }

    @Test("A document that refers to the same things again and again is refused once that is too much")
    func parts() throws {
        let types = (0..<20).map { #""text/x\#($0)": {}"# }.joined(separator: ", ")
        let paths = (0..<20).map {
            ##""/p\##($0)": {"get": {"responses": {"200": {"$ref": "#/components/responses/all"}}}}"##
        }
        let document = try ExactJSON.value(
            Array(
                #"{"openapi": "3.1.0", "paths": {\#(paths.joined(separator: ", "))}, "components": {"responses": {"all": {"content": {\#(types)}}}}}"#
                    .utf8
            )
        )
        var patient = try OpenAPIReader(document, work: 10_000)
        let read = try patient.paths()
        #expect(read.count == 20)
        var hasty = try OpenAPIReader(document, work: 1_000)
        let problem = #expect(throws: OpenAPIProblem.self) { _ = try hasty.paths() }
        #expect(problem?.description.contains("more parts than are read") == true)
    }
}
