import Support
import Testing
import Traffic

@testable import Proxy

/// Streams that wait for a window on either side.
@Suite(.timeLimit(.minutes(2)))
struct StalledOrderTests {
    private struct Report: Decodable {
        /// By size, how the upstream had it.
        let uploads: [String: String]
        /// What the upstream's streams were reset with.
        let codes: [Int?]
    }

    @Test(
        "Trailers stay behind content that waits for the upstream, and a reset keeps its code past content that waits"
    )
    func kept() async throws {
        try await RunningProxy.run { proxy in
            let files = [Certificates.file("good.pem"), Certificates.file("good-key.pem")]
            let report: Report = try await PythonPeer.run("stalls.py", ["\(proxy.port)", proxy.rootFile] + files)
            #expect(report.uploads.count == 16)
            for (size, seen) in report.uploads { #expect(seen == "whole \(size)") }
            #expect(report.codes == [0xB, 0xC, 0xD])
            let records = try await proxy.sink.ended(19).map(\.exchange)
            #expect(records.count { $0.outcome == .completed && $0.request.trailers != nil } == 16)
            #expect(records.count { $0.outcome == .failed && $0.failure?.side == .client } == 3)
        }
    }

    private struct Unread: Decodable {
        let code: Int
        let status: String
    }

    @Test(
        "A stream that its client does not read is reset in time, so that nothing is held for it, and the next one is answered"
    )
    func unread() async throws {
        let origin = try await LoopbackOrigin.start(
            tls: Certificates.server("good"),
            script: RawRequest.answering { request in
                let size = request.target == "/large" ? 400_000 : 2
                return Array("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n".utf8)
                    + [UInt8](repeating: 0x78, count: size)
            }
        )
        try await RunningProxy.run(
            configure: {
                $0.idleTimeout = .milliseconds(400)
                $0.matchesProtocols = false
            }
        ) { proxy in
            let report: Unread = try await PythonPeer.run(
                "unread.py",
                ["\(proxy.port)", proxy.rootFile, "\(origin.port)"]
            )
            #expect(report.code == 8 && report.status == "200")
            let record = try #require(try await proxy.sink.ended(2).map(\.exchange).first { $0.target == "/large" })
            #expect(record.outcome == .failed && record.failure?.cause == "timeout" && record.failure?.side == .client)
        }
    }
}
