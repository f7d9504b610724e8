import NIOCore
import Proxy
import Testing
import Traffic

/// Heads and trailers that need many frames of HTTP/2, on one connection with the content of another stream.
@Suite(.timeLimit(.minutes(15)))
struct LargeHeadTests {
    private struct Report: Decodable {
        let usual: [String: String]
        let largerFrames: [String: String]
        let limited: [String: String]
        let http1: [String: String]
        let objections: [String]
    }

    @Test("Heads and trailers of up to 200 kB pass whole both ways among others' content, and h2 objects to nothing")
    func passed() async throws {
        // A client of HTTP/1.1 alone goes to an upstream of HTTP/2 too.
        try await RunningProxy.run {
            $0.matchesProtocols = false
        } _: { proxy in
            let files = [Certificates.file("good.pem"), Certificates.file("good-key.pem")]
            let report: Report = try await PythonPeer.run("heads.py", ["\(proxy.port)", proxy.rootFile] + files)
            #expect(report.objections.isEmpty, "\(report.objections)")
            for seen in [report.usual, report.largerFrames] {
                #expect(seen.count == 11 && seen.values.allSatisfy { $0 == "whole" }, "\(seen)")
            }
            #expect(report.http1.count == 5 && report.http1.values.allSatisfy { $0 == "whole" }, "\(report.http1)")
            // What an upstream says that it does not take is not sent: it would end the connection, with the others on it.
            #expect(report.limited.count == 10 && report.limited["head 200000"] == "431", "\(report.limited)")
            #expect(report.limited.count { $0.value == "whole" } == 9, "\(report.limited)")
            let records = try await proxy.sink.ended(23)
            #expect(records.count == 23)
            #expect(records.map(\.failure).filter { $0 != "none" } == ["upstream connect too-long"])
            for exchange in records.map(\.exchange) where exchange.target != "/echo" && exchange.outcome == .completed {
                let size = Int(exchange.target.split(separator: "/").last ?? "") ?? 0
                #expect(exchange.upstreamVersion == .http2 && exchange.request.head.readableBytes > size)
                #expect((exchange.response?.head.readableBytes ?? 0) > size, "\(exchange.target)")
                #expect((exchange.response?.trailers?.readableBytes ?? 0) > size / 2, "\(exchange.target)")
            }
        }
    }
}
