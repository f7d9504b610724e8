import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// HTTP/2 requests that HTTP/1.1 could read differently are never sent on; h11 judges what an upstream of HTTP/1.1 received.
@Suite(.timeLimit(.minutes(15)))
struct HTTP2AbuseTests {
    private struct Seen: Decodable {
        let name: String
        let isRight: Bool
        let outcome: String
    }

    private struct Report: Decodable {
        let seen: [Seen]
        /// Method, path and size of what an upstream of HTTP/2 had whole.
        let received: [String]
        /// What that upstream found to be against the rules.
        let objections: [String]
    }

    @Test("To an upstream of HTTP/2 goes nothing that h2 objects to: what is right arrives once, what is wrong nowhere")
    func relayed() async throws {
        try await RunningProxy.run { proxy in
            let files = [Certificates.file("good.pem"), Certificates.file("good-key.pem")]
            let report: Report = try await PythonPeer.run(
                "abuse.py",
                ["\(proxy.port)", proxy.rootFile, "0"] + files
            )
            #expect(report.seen.count > 150 && report.objections.isEmpty, "\(report.objections)")
            for one in report.seen {
                let isFine = one.isRight ? one.outcome == "200" : Self.isRefusal(one.outcome)
                #expect(isFine, "\(one.name): \(one.outcome)")
            }
            let records = try await proxy.sink.ended(report.seen.count)
            let completed = records.filter { $0.exchange.outcome == .completed }
            #expect(completed.allSatisfy { $0.exchange.upstreamVersion == .http2 })
            let recorded = completed.map { "\($0.exchange.method) \($0.exchange.target) \($0.requestBody.count)" }
            #expect(recorded.sorted() == report.received.sorted())
            #expect(completed.count == report.seen.count(where: \.isRight))
        }
    }

    @Test(
        "What is right arrives as h11 reads what is recorded; what is wrong is refused, recorded, and arrives nowhere"
    )
    func downgrade() async throws {
        let origin = try await LoopbackOrigin.start(tls: Certificates.server("good")) { unanswered in
            guard H11Judge.isWhole(unanswered) else { return nil }
            return .init(
                consuming: unanswered.count,
                .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
            )
        }
        try await RunningProxy.run {
            $0.matchesProtocols = false
        } _: { proxy in
            let report: Report = try await PythonPeer.run(
                "abuse.py",
                ["\(proxy.port)", proxy.rootFile, "\(origin.port)"]
            )
            let seen = report.seen
            #expect(seen.count > 150)
            for one in seen {
                let isFine = one.isRight ? one.outcome == "200" : Self.isRefusal(one.outcome)
                #expect(isFine, "\(one.name): \(one.outcome)")
            }
            let rightCount = seen.count(where: \.isRight)
            let records = try await proxy.sink.ended(seen.count)
            let completed = records.filter { $0.exchange.outcome == .completed }
            #expect(completed.count == rightCount, "\(completed.count) completed of \(rightCount)")
            // What breaks a whole connection has a row for it beside its stream's.
            #expect(
                records.count - completed.count >= seen.count - rightCount,
                "\(records.count) rows of \(seen.count)"
            )
            let verdicts = try await H11Judge.judge(origin.connections.map(\.received))
            for (verdict, connection) in zip(verdicts, origin.connections) {
                #expect(verdict.error == nil, "\(connection.receivedText.debugDescription)")
                #expect(
                    !connection.receivedText.contains("/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        || !verdict.requests.isEmpty
                )
            }
            let requests = verdicts.flatMap(\.requests)
            #expect(requests.allSatisfy { $0.target != "/smuggled" })
            let judged = requests.map { "\($0.method) \($0.target) \($0.body.count)" }
            let recorded = completed.map { "\($0.exchange.method) \($0.exchange.target) \($0.requestBody.count)" }
            // A head that promises no content is whole in HTTP/1, and may be under way when content comes that it denied.
            let difference = judged.sorted().difference(from: recorded.sorted())
            #expect(difference.removals.isEmpty && difference.insertions.count <= 1, "\(difference)")
        }
    }

    private struct Connects: Decodable {
        let connects: [String]
        let after: String
    }

    @Test("A CONNECT within HTTP/2 is refused and recorded, and its connection serves on")
    func connects() async throws {
        let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
        let origin = try await LoopbackOrigin.start(script: RawRequest.answering { _ in ok })
        try await RunningProxy.run { proxy in
            let seen: Connects = try await PythonPeer.run("connect.py", ["\(proxy.port)", "\(origin.port)"])
            #expect(seen.connects == ["501", "501"])
            // The origin speaks HTTP/1.1, and was asked in HTTP/2 as the client was: a refusal of ours, and no end.
            #expect(seen.after == "502")
            let rows = try await proxy.sink.ended(3).filter { $0.exchange.method == "CONNECT" }
            #expect(rows.count == 2 && rows.allSatisfy { $0.exchange.failure?.cause == .connect })
        }
    }

    /// Whether an outcome is a code of 400 and more, or the end of the stream or the connection.
    private static func isRefusal(_ outcome: String) -> Bool {
        if let code = Int(outcome) { return code >= 400 && code != 502 }
        return outcome.hasPrefix("4") || outcome.hasPrefix("5") || outcome.hasPrefix("reset ")
            || outcome.hasPrefix("goaway ")
            || outcome == "closed"
    }
}
