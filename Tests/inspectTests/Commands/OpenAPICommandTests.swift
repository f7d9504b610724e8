import Foundation
import Support
import Testing

@Suite("inspect openapi", .timeLimit(.minutes(3)))
struct OpenAPICommandTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        "The four clients' traffic gives a document that validates, is the same every time, and that the traffic keeps to"
    )
    func infer() async throws {
        let directory = try TemporaryDirectory()
        let demo = try await RunningInspect.run(
            ["demo", "--once", "--port", "0", "--web-port", "0"] + RunningInspect.places(directory),
            in: directory,
            within: .seconds(120)
        )
        #expect(demo.status == 0, "\(demo.errors)")
        let store = ["--store", RunningInspect.store(directory)]
        func inspect(_ arguments: String...) async throws -> CommandLineTool.Result {
            try await RunningInspect.run(arguments + store, in: directory)
        }
        let (json, yaml) = (directory.file("api.json"), directory.file("api.yaml"))
        let written = try await inspect("openapi", "infer", "-o", json, "--title", "Campus & city")
        #expect(
            written.status == 0 && written.output.isEmpty && written.errors.contains("operations from "),
            "\(written.errors)"
        )
        #expect(try await inspect("openapi", "infer", "--yaml", "-o", yaml, "--title", "Campus & city").status == 0)
        let again = try await inspect("openapi", "infer", "--title", "Campus & city")
        #expect(again.outputBytes == (try directory.read("api.json")), "the same captures give the same document")

        let program = """
            import json, sys, yaml
            from openapi_spec_validator import validate
            first, second = json.load(open(sys.argv[1])), yaml.safe_load(open(sys.argv[2]))
            validate(first)
            validate(second)
            print(first == second, first["info"]["title"], "/whatsopen" in str(list(first["paths"])) or "/api/facilities/" in first["paths"])
            """
        let python = Self.root.appending(path: ".build/venv/bin/python").path
        let valid = try await CommandLineTool.run(python, ["-c", program, json, yaml])
        #expect(valid.output == "True Campus & city True\n", "\(valid.output)\(valid.errors)")

        for file in [json, yaml] {
            let check = try await inspect("check", "--openapi", file, "--rule", "OA")
            #expect(check.status == 0 && check.output.contains("no rule is broken"), "\(check.output)\(check.errors)")
        }
    }

    @Test("Without an exchange to learn from there is no document, and status 2")
    func nothing() async throws {
        let store = try CapturedStore()
        let run = try await store.inspect("openapi", "infer")
        #expect(run.status == 2 && run.errors.contains("no exchange to learn from"), "\(run.errors)")
    }
}
