import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// Streams that wait for a window on either side.
@Suite(.timeLimit(.minutes(15)))
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
            let report: Report = try await PythonPeer.run(
                "stalls.py",
                ["\(proxy.port)", proxy.rootFile] + files
            )
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
        // More than the channel of a stream takes: it is not read for good then.
        let stalledBytes = 66_000
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                $0.pendingDelay = .zero
                $0.matchesProtocols = false
            }
        ) { proxy in
            async let running: Unread = PythonPeer.run(
                "unread.py",
                ["\(proxy.port)", proxy.rootFile, "\(origin.port)"]
            )
            _ = try await proxy.sink.told("the stream to be full, or its answer to end") {
                $0.responseBytes > stalledBytes || $0.ended.contains { $0.exchange.target == "/large" }
            }
            // The first look takes note of it.
            try await proxy.pass(.zero)
            try await proxy.pass(.seconds(120))
            let report = try await running
            #expect(report.code == 8 && report.status == "200")
            let record = try #require(try await proxy.sink.ended(2).map(\.exchange).first { $0.target == "/large" })
            // What two watermarks hold has come to its end by then.
            if size < 64 << 10 {
                #expect(record.outcome == .completed)
            } else {
                #expect(
                    record.outcome == .failed && record.failure?.cause == .timeout && record.failure?.side == .client
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
        let large = 32 << 20
        let origin = try await Self.origin(largeBytes: large)
        let (stopCount, gates) = (Watched(0), [Gate(), Gate()])
        let gatekeeper = try await LoopbackOrigin.start { unanswered in
            guard !unanswered.isEmpty else { return nil }
            let count = stopCount.update { count in
                count += 1
                return count
            }
            return .init(consuming: 1, .held(gates[count - 1]), .send([1]))
        }
        try await RunningProxy.run(clock: TestClock(), configure: { $0.matchesProtocols = false }) { proxy in
            async let running: Silent = PythonPeer.run(
                "silent.py",
                ["\(proxy.port)", proxy.rootFile, "\(origin.port)", "\(gatekeeper.port)"]
            )
            for (index, gate) in gates.enumerated() {
                _ = try await stopCount.wait(for: "the reader to stop") { $0 == index + 1 }
                // The connection is full now, which the proxy's looks meanwhile have found.
                _ = try await proxy.sink.settled(\.responseBytes)
                // Twice so long is more than a stream may go unread; between the two it could have been written to.
                try await proxy.pass(.seconds(119))
                gate.open()
            }
            let report = try await running
            #expect(report.code == nil && report.size == large)
            let records = try await proxy.sink.ended(2).map(\.exchange)
            #expect(records.first { $0.target == "/large" }?.outcome == .completed)
            // The client left.
            #expect(records.first { $0.target == "/events" }?.failure?.cause != .timeout)
        }
    }
}
