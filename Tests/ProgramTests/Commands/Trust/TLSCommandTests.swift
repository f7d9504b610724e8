import Foundation
import Support
import Testing

@Suite("Both handshakes of a host", .timeLimit(.minutes(15)))
struct TLSCommandTests {
    private static func run(_ arguments: [String], in directory: TemporaryDirectory) async throws
        -> CommandLineTool.Result
    {
        try await RunningInspect.run(["tls"] + arguments + ["--ca-directory", directory.file("ca")], in: directory)
    }

    @Test("A good host: version, suite, protocol, chain and checks of both sides, as text and as JSON")
    func good() async throws {
        let authority = try await TestAuthority()
        let origin = try await RecordingOrigin.start(tls: authority.issue(for: ["localhost"]))
        let directory = try TemporaryDirectory()
        let arguments = ["localhost:\(origin.port)", "--upstream-ca", authority.rootFile]
        let text = try await Self.run(arguments, in: directory)
        #expect(text.status == 0, "\(text.output)\(text.errors)")
        #expect(text.output.contains("Nothing is wrong.") && !text.output.contains("BAD"))
        #expect(text.output.contains("inspect to localhost:\(origin.port)"))
        #expect(text.output.contains("a client that trusts our root to inspect"))
        let json = try await Self.run(arguments + ["--json"], in: directory)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [String: Any])
        #expect(object["good"] as? Bool == true && object["passedThrough"] as? Bool == false)
        for side in ["upstream", "client"] {
            let told = try #require(object[side] as? [String: Any])
            #expect((told["version"] as? String)?.hasPrefix("TLSv1.") == true)
            #expect((told["cipher"] as? String)?.hasPrefix("TLS_") == true)
            let certificates = try #require(told["certificates"] as? [[String: Any]])
            #expect(
                certificates.count == 2 && (certificates.first?["names"] as? [String])?.contains("localhost") == true
            )
            let checks = try #require(told["checks"] as? [[String: Any]])
            #expect(checks.compactMap { $0["name"] as? String }.prefix(3) == ["reached", "handshake", "issuer"])
            #expect(checks.allSatisfy { $0["holds"] as? Bool == true }, "\(checks)")
        }
        #expect(origin.answered.isEmpty)
    }

    @Test("A certificate of a stranger, and one for another name: which check fails, and what to do")
    func bad() async throws {
        let authority = try await TestAuthority()
        let stranger = try await TestAuthority()
        let directory = try TemporaryDirectory()
        let cases = [
            (try await stranger.issue(for: ["localhost"]), "BAD  issuer", "inspect start --upstream-ca FILE"),
            (try await authority.issue(for: ["other.test"]), "BAD  name", "it is for other.test"),
        ]
        for (tls, check, remedy) in cases {
            let origin = try await RecordingOrigin.start(tls: tls)
            let arguments = ["https://localhost:\(origin.port)/x", "--upstream-ca", authority.rootFile]
            let result = try await Self.run(arguments, in: directory)
            #expect(result.status == 1 && result.output.contains(check), "\(result.output)\(result.errors)")
            let unread = try await UnreadOutput.run(
                ["tls"] + arguments + ["--ca-directory", directory.file("ca")],
                environment: RunningInspect.environment(directory)
            )
            #expect(unread.output == "1\n" && unread.errors.isEmpty, "\(unread)")
            #expect(result.output.contains(remedy) && result.output.contains("What to do"), "\(result.output)")
        }
    }

    @Test("Nobody there, plain HTTP, a host that is passed through, and what is no host")
    func others() async throws {
        let directory = try TemporaryDirectory()
        let nobody = try RefusingPort.ofBoth()
        let deaf = try await Self.run(["localhost:\(nobody.0.port)"], in: directory)
        withExtendedLifetime(nobody) {}
        #expect(deaf.status == 1 && deaf.output.contains("BAD  reached"), "\(deaf.output)\(deaf.errors)")
        let plain = try await LoopbackOrigin.start { said in
            let answer = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            return said.isEmpty ? nil : .init(consuming: said.count, .send(Array(answer.utf8)), .close)
        }
        let spoken = try await Self.run(["localhost:\(plain.port)"], in: directory)
        #expect(spoken.status == 1 && spoken.output.contains("BAD  handshake"), "\(spoken.output)")
        let authority = try await TestAuthority()
        let origin = try await RecordingOrigin.start(tls: authority.issue(for: ["localhost"]))
        let passed = try await Self.run(
            ["localhost:\(origin.port)", "--upstream-ca", authority.rootFile, "--pass-through", "localhost"],
            in: directory
        )
        #expect(passed.status == 0 && passed.output.contains("is passed through"), "\(passed.output)")
        let wrong = try await Self.run(["local host"], in: directory)
        #expect(wrong.status == 2 && wrong.errors.contains("expected a host"), "\(wrong.errors)")
    }
}
