import Support
import Testing
import Traffic

@testable import inspect

@Suite("How long both handshakes may take", .timeLimit(.minutes(15)))
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
}
