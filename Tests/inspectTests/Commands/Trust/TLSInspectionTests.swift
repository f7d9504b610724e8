import ArgumentParser
import NIOCore
import Support
import Testing
import Traffic

@testable import inspect

@Suite("What a look at both handshakes says", .timeLimit(.minutes(15)))
struct TLSInspectionTests {
    @Test("A server that never answers is left when the time for a handshake is over, and that is said")
    func silent() async throws {
        let directory = try TemporaryDirectory()
        let origin = try await LoopbackOrigin.start { _ in nil }
        let place = "127.0.0.1:\(origin.port)"
        let command = try TLSCommand.parse([place, "--ca-directory", directory.file("ca")])
        var inspection = TLSInspection(upstreams: command.upstreams, authority: command.authority)
        inspection.handshakeTimeout = .milliseconds(200)
        let report = try await inspection.report(on: Endpoint(host: "127.0.0.1", port: origin.port))
        let lines = report.lines(in: .plain)
        let late = "  BAD  handshake  The TLS handshake with the upstream did not end in time."
        #expect(!report.isGood && lines.contains(late), "\(lines)")
    }

    @Test(
        "An upstream proxy that asks for a login is told with the option that gives it, in lines and in JSON",
        arguments: [
            ("http", Array("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n".utf8)), ("socks5", [5, 0xFF]),
        ] as [(String, [UInt8])]
    )
    func unauthorized(scheme: String, answer: [UInt8]) async throws {
        let directory = try TemporaryDirectory()
        let proxy = try await LoopbackOrigin.start { bytes in
            bytes.isEmpty ? nil : LoopbackOrigin.Reply(consuming: bytes.count, .send(answer))
        }
        let place = "127.0.0.1:\(proxy.port)"
        let command = try TLSCommand.parse([
            "api.example.test", "--upstream-proxy", "\(scheme)://\(place)", "--ca-directory", directory.file("ca"),
        ])
        let inspection = TLSInspection(upstreams: command.upstreams, authority: command.authority)
        let report = try await inspection.report(on: Endpoint(host: "api.example.test", port: 443))
        let sentence = "The upstream proxy \(scheme)://\(place) asks for a user and a password, and was given none."
        let mend = "inspect start --upstream-proxy \(scheme)://USER:PASSWORD@\(place)"
        let lines = report.lines(in: .plain)
        #expect(lines.suffix(3) == ["What to do", "  " + sentence, "  " + mend], "\(lines)")
        var json = JSONWriter()
        report.write(to: &json)
        let root = try JSONReader.value(json.take())
        #expect(root["explanation"]?.string == sentence && root["command"]?.string == mend)
    }
}
