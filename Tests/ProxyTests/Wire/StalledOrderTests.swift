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

    /// Answers with an event and then with nothing more, with a large body, or with a small one.
    private static func origin(largeBytes: Int) async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(
            tls: Certificates.server("good"),
            script: RawRequest.answering { request in
                if request.target == "/events" {
                    let fields = "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked"
                    return Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n9\r\ndata: 1\n\n\r\n".utf8)
                }
                let size = request.target == "/large" ? largeBytes : 2
                return Array("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n".utf8)
                    + [UInt8](repeating: 0x78, count: size)
            }
        )
    }

    private struct Unread: Decodable {
        let code: Int
        let status: String
    }

    @Test(
        "A stream that its client does not read is reset in time, also once its answer has ended, and the next one is answered",
        arguments: [400_000, 40_000]
    )
    func unread(size: Int) async throws {
        let origin = try await Self.origin(largeBytes: size)
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
            // What two watermarks hold has come to its end by then.
            if size < 64 << 10 {
                #expect(record.outcome == .completed)
            } else {
                #expect(
                    record.outcome == .failed && record.failure?.cause == "timeout" && record.failure?.side == .client
                )
            }
        }
    }

    private struct Silent: Decodable {
        let code: Int?
        let size: Int
    }

    @Test("A stream that is silent stays open while another one fills the connection")
    func silent() async throws {
        let large = 24 << 20
        let origin = try await Self.origin(largeBytes: large)
        try await RunningProxy.run(
            configure: {
                $0.idleTimeout = .milliseconds(1_000)
                $0.matchesProtocols = false
            }
        ) { proxy in
            let report: Silent = try await PythonPeer.run(
                "silent.py",
                ["\(proxy.port)", proxy.rootFile, "\(origin.port)"]
            )
            #expect(report.code == nil && report.size == large)
            let records = try await proxy.sink.ended(2).map(\.exchange)
            #expect(records.first { $0.target == "/large" }?.outcome == .completed)
            // The client left.
            #expect(records.first { $0.target == "/events" }?.failure?.cause != "timeout")
        }
    }
}
