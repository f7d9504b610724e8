import Foundation
import Support
import Testing
import Traffic
import Trust

@Suite(.timeLimit(.minutes(15)))
struct TrustGuideTests {
    @Test("The guide names the root's place, fingerprint and every client of the promise")
    func content() throws {
        let files = TrustFiles(directory: "/var/lib/it's mine/ca")
        let root = try RootCertificate(newOn: "host", now: Date())
        let guide = TrustGuide(root: root, files: files)
        let text = guide.text
        #expect(text.contains(files.certificatePath))
        #expect(text.contains(root.fingerprint))
        #expect(text.contains(root.notAfter.formatted(.iso8601)))
        for client in ["Debian", "macOS", "Firefox", "curl", "Python", "Node", "Java"] {
            #expect(guide.sections.contains { $0.title.contains(client) }, "\(client)")
        }
        #expect(!text.contains("PRIVATE KEY"))
    }

    @Test("Every command is valid shell, and what installs the root has its path as one word")
    func commands() async throws {
        let files = TrustFiles(directory: "/var/lib/it's mine/ca")
        let guide = TrustGuide(root: try RootCertificate(newOn: "host", now: Date()), files: files)
        for section in guide.sections {
            for command in section.commands + section.undo {
                let answer = try await CommandLineTool.run("sh", ["-n", "-c", command])
                #expect(answer.status == 0, "\(command): \(answer.errors)")
            }
            for command in section.commands {
                let paths = [files.certificatePath, files.bundlePath].map { ShellWord($0).description }
                #expect(paths.contains { command.contains($0) }, "\(command)")
            }
        }
    }

    @Test(
        "A shell reads a word back as the text it was made of",
        arguments: ["", "a b", "it's", "$HOME`x`\\", "/plain/ca", "ü\n\""]
    )
    func words(text: String) async throws {
        let answer = try await CommandLineTool.run("sh", ["-c", "printf %s \(ShellWord(text))"])
        #expect(answer.output == text)
    }

    @Test("The environment variables of the guide hold the file's path in a real shell")
    func exports() async throws {
        let place = try TemporaryDirectory()
        let files = TrustFiles(directory: place.file("with space/ca"))
        let root = try files.openRoot(hostName: "host", now: Date())
        let guide = TrustGuide(root: root, files: files)
        try FileManager.default.createDirectory(atPath: files.clientsDirectory, withIntermediateDirectories: true)
        try Data(("system\n" + root.pem).utf8).write(to: URL(filePath: files.bundlePath))
        var told: [String: String] = [:]
        for command in guide.sections.flatMap(\.commands) where command.hasPrefix("export ") {
            let variable = command.dropFirst("export ".count).prefix { $0 != "=" }
            let answer = try await CommandLineTool.run("sh", ["-c", "\(command); cat \"$\(variable)\""])
            told[String(variable)] = answer.output
        }
        let bundle = "system\n" + root.pem
        #expect(
            told == [
                "CURL_CA_BUNDLE": bundle, "REQUESTS_CA_BUNDLE": bundle, "SSL_CERT_FILE": bundle,
                "NODE_EXTRA_CA_CERTS": root.pem,
            ]
        )
    }
}
