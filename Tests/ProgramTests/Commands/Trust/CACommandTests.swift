import Foundation
import Support
import Testing

@Suite(.timeLimit(.minutes(15))) struct CACommandTests {
    @Test("ca makes the root, shows it and exports it in both forms, the same each time")
    func exports() async throws {
        let directory = try TemporaryDirectory()
        let program = try Executable.inspect()
        let options = ["--ca-directory", directory.file("ca")]
        let guide = try await CommandLineTool.run(program, ["ca"] + options)
        #expect(guide.status == 0)
        #expect(guide.output.contains(directory.file("ca/root.pem")))
        let pem = try await CommandLineTool.run(program, ["ca", "export"] + options)
        #expect(pem.output.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(try Array(pem.output.utf8) == directory.read("ca/root.pem"))
        #expect(!pem.output.contains("PRIVATE"))
        let der = try await CommandLineTool.run(
            program,
            ["ca", "export", "--format", "der", "-o", directory.file("root.der")] + options
        )
        #expect(der.status == 0)
        let back = try await CommandLineTool.run(
            "openssl",
            ["x509", "-inform", "der", "-in", directory.file("root.der")]
        )
        #expect(back.output.split(separator: "\n") == pem.output.split(separator: "\n"))
    }

    @Test("A root that others can read, or that is damaged, is one clear line")
    func refuses() async throws {
        let directory = try TemporaryDirectory()
        let program = try Executable.inspect()
        _ = try await CommandLineTool.run(program, ["ca", "--ca-directory", directory.file("ca")])
        try directory.write("no certificate", to: "ca/root.pem")
        let result = try await CommandLineTool.run(program, ["ca", "--ca-directory", directory.file("ca")])
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("inspect: ") && result.errors.filter { $0 == "\n" }.count == 1)
        #expect(try directory.read("ca/root.pem") == Array("no certificate".utf8))
    }
}
