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
        // What takes the place of a client's own roots is told with them, in a file that is there.
        let bundle = directory.file("ca/clients/bundle.pem")
        #expect(guide.output.contains("\n    export SSL_CERT_FILE=\(bundle)\n"))
        #expect(!guide.output.contains("SSL_CERT_FILE=\(directory.file("ca/root.pem"))"))
        let pem = try await CommandLineTool.run(program, ["ca", "export"] + options)
        #expect(pem.output.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(try Array(pem.output.utf8) == directory.read("ca/root.pem"))
        #expect(String(decoding: try directory.read("ca/clients/bundle.pem"), as: UTF8.self).hasSuffix(pem.output))
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

    @Test("A started proxy has the file there that its page tells clients to read")
    func bundle() async throws {
        let proxy = try await RunningInspect.start()
        let root = try proxy.directory.read("ca/root.pem")
        #expect(try proxy.directory.read("ca/clients/bundle.pem").suffix(root.count).elementsEqual(root))
    }

    @Test("A ca directory that takes no further file still has its guide, and a line says what is missing")
    func unwritable() async throws {
        let directory = try TemporaryDirectory()
        let options = ["--ca-directory", directory.file("ca")]
        let program = try Executable.inspect()
        _ = try await CommandLineTool.run(program, ["ca"] + options)
        // A file where the directory for clients would be: root is stopped by it too.
        try FileManager.default.removeItem(atPath: directory.file("ca/clients"))
        try directory.write("", to: "ca/clients")
        let guide = try await CommandLineTool.run(program, ["ca"] + options)
        #expect(guide.status == 0 && guide.output.contains("export NODE_EXTRA_CA_CERTS="))
        #expect(guide.errors.hasPrefix("inspect: cannot make \(directory.file("ca/clients"))"), "\(guide.errors)")
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
