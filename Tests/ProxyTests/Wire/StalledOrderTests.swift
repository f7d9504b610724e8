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
}
