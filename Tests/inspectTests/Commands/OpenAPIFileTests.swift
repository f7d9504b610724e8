import Support
import Testing

@testable import inspect

@Suite("Documents of OpenAPI in YAML", .timeLimit(.minutes(15)))
struct OpenAPIFileTests {
    private static let beginning = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\nx-values: "

    private func problem(_ value: String) throws -> String? {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Self.beginning + value, to: "api.yaml")
        do { _ = try OpenAPIFile.document(at: path) } catch { return "\(error)" }
        return nil
    }

    @Test("Values that are too deep, or too many by their aliases, are refused with their line")
    func bounds() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try problem(nested(200)) == nil)
        #expect(try problem(nested(201)) == "api.yaml: the document is too large (line 4)")
        let lists = ["1", "*a", "*b"].map { [String](repeating: $0, count: 20).joined(separator: ",") }
        let many = "[&a [\(lists[0])], &b [\(lists[1])], [\(lists[2])]]"
        let counted = try problem(many)
        #expect(counted?.hasPrefix("api.yaml: the document is too large (line ") == true, "\(counted ?? "")")
    }

    @Test("A key that is no text and an alias of nothing are refused with their line")
    func strange() throws {
        #expect(try problem("{? [a]: 1}")?.contains("a key is no text") == true)
        #expect(try problem("*b")?.hasPrefix("api.yaml is no YAML: ") == true)
    }
}
