import Support
import Testing

struct ArgumentErrorTests {
    @Test(
        "A mistake is one line on standard error and exit status 2",
        arguments: [
            (["ls", "--code", "foo"], "--code foo"), (["ls", "--scheme", "gopher"], "--scheme gopher"),
            (["ls", "--limit", "-1"], "--limit"), (["ls", "--limit", "many"], "many"),
            (["ls", "--json", "--jsonl"], "--json and --jsonl"),
            (["ls", "--after", "0"], "--after 0"), (["filter", "--since", "yesterday"], "--since yesterday"),
            (["filter", "--http-version", "9"], "--http-version 9"), (["filter", "--bogus"], "--bogus"),
            (["lss"], "did you mean 'ls'"),
            (["nonsense"], "there is no command 'nonsense'"), (["show"], "<id>"), (["show", "0"], "1 or more"),
            (["show", "1", "--raw"], "--body"), (["export", "--format", "xml"], "xml"), (["tail", "--last", "x"], "x"),
            (["facility-api", "--fault", "777"], "777"), (["facility-api", "--api-version", "3"], "2.1 or 2.2"),
            (["facility-api", "--port", "70000"], "--port 70000"), (["ls", "--store", ""], "--store"),
            (["ls", "--store", "/nonexistent/captures.db"], "/nonexistent/captures.db"),
            (["ls", "--code", "\u{1B}[31m"], "\\e[31m"),
        ] as [([String], String)]
    )
    func explains(_ arguments: [String], _ expected: String) async throws {
        let result = try await CommandLineTool.run(try Executable.inspect(), arguments)
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("inspect: "))
        #expect(result.errors.contains(expected))
        #expect(result.errors.filter { $0 == "\n" }.count == 1 && result.errors.hasSuffix("\n"))
        #expect(!result.errors.contains("\u{1B}"))
    }

    @Test(
        "Help and version go to standard output with status 0",
        arguments: [["--help"], ["--version"], ["help", "filter"], ["ls", "--help"], []]
    )
    func helps(_ arguments: [String]) async throws {
        let result = try await CommandLineTool.run(try Executable.inspect(), arguments)
        #expect(result.status == 0)
        #expect(!result.output.isEmpty)
        #expect(result.errors.isEmpty)
    }
}
