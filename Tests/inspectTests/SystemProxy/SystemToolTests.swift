import Foundation
import Support
import Testing

@testable import inspect

@Suite("A program of the system's", .timeLimit(.minutes(15)))
struct SystemToolTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// A script in the place of a program.
    private func tool(_ script: String) throws -> SystemTool {
        let path = try directory.write("#!/bin/sh\n\(script)\n", to: "tool")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return try #require(SystemTool("tool", environment: ["PATH": directory.path]))
    }

    @Test("One that does not end is killed at its deadline, and the line says so")
    func silent() throws {
        let tool = try tool("exec tail -f /dev/null")
        let problem = #expect(throws: InputError.self) { try tool.run(["get"], within: .milliseconds(1)) }
        #expect(problem?.description.hasSuffix("tool get did not end within 0.001 seconds, and was killed") == true)
    }

    @Test("One that leaves another behind with its outputs is not waited for beyond its own end")
    func leftBehind() throws {
        let tool = try tool("tail -f /dev/null & echo $!")
        let text = try tool.run([])
        let number = try #require(Int32(text))
        #expect(kill(number, SIGKILL) == 0)
    }

    @Test("One that complains at length is read to its end")
    func long() throws {
        #expect(try tool("head -c 300000 /dev/zero >&2; echo done").run([]) == "done")
        #expect(throws: InputError.self) { try tool("kill -9 $$").run([]) }
    }
}
