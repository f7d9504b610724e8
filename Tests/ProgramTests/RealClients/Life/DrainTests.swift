import Foundation
import Support
import Testing

/// What `inspect stop` and SIGTERM leave behind: nothing open, nothing lost.
@Suite(.timeLimit(.minutes(15))) struct DrainTests {
    /// Clients that ask one after the other as fast as they can, until the proxy is gone, and print what was answered whole.
    ///
    /// It is gone when it refuses, or when a file says so: its port may be somebody else's by then.
    private static let script = """
        import http.client, os, sys, threading
        proxy, origin, threads, end = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
        answered, lock = [], threading.Lock()
        def work(number):
            count = 0
            connection = None
            while not os.path.exists(end):
                try:
                    connection = connection or http.client.HTTPConnection("127.0.0.1", proxy, timeout=\(Patience.seconds(20)))
                    target = f"http://127.0.0.1:{origin}/{number}/{count}"
                    connection.request("GET", target)
                    response = connection.getresponse()
                    if response.status == 200 and response.read() == b"x" * 2000:
                        with lock:
                            answered.append(f"/{number}/{count}")
                            if len(answered) == 400: print("busy", flush=True)
                    count += 1
                except ConnectionRefusedError:
                    return
                except (OSError, http.client.HTTPException):
                    connection = None
                    count += 1
        workers = [threading.Thread(target=work, args=(n,)) for n in range(threads)]
        for worker in workers: worker.start()
        for worker in workers: worker.join()
        print("\\n".join(answered))
        """

    @Test("Stopped under load, every answer that a client saw the end of is in the store, and nothing is left open")
    func underLoad() async throws {
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 2_000)
        let origin = try await LoopbackOrigin.start(
            keeps: 0,
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n".utf8) + body }
        )
        let daemon = try await RunningDaemon.start()
        let client = try RunningProcess(
            try CommandLineTool.find("python3"),
            ["-c", Self.script, "\(daemon.port)", "\(origin.port)", "8", daemon.directory.file("gone")]
        )
        _ = try await client.line(containing: "busy")
        let stopped = try await daemon.stop()
        #expect(stopped.status == 0, "\(stopped)")
        try daemon.directory.write("", to: "gone")
        let ended = try await client.end(within: .seconds(60))
        #expect(ended.status == 0, "\(ended)")
        let seen = String(decoding: ended.output, as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
        let rows = try await StoredListing.read(in: daemon.directory, ["--limit", "1000000"])
        let kept = Set(rows.exchanges.filter { $0.outcome == "completed" && $0.code == 200 }.map(\.target))
        #expect(seen.count >= 400 && Set(seen).subtracting(kept) == [], "\(seen.count) seen, \(kept.count) kept")
        #expect(rows.counts("outcome")["pending"] == nil && rows.truncated == false)
        print("stop under load: \(seen.count) answered, \(rows.total) rows; \(stopped.output)")
    }

    @Test("What is still open when the time to drain is over is ended with 503, and recorded as failed")
    func deadline() async throws {
        let silent = try await LoopbackOrigin.start { _ in nil }
        let half = try await LoopbackOrigin.start { unanswered in
            RawRequest(first: unanswered).map {
                let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf".utf8)
                return .init(consuming: $0.bytes.count, .send(head))
            }
        }
        let daemon = try await RunningDaemon.start(["--drain-seconds", "1"])
        let client = try await RawClient.connect(port: daemon.port)
        try await client.send("GET http://127.0.0.1:\(silent.port)/silent HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try await silent.connections("the request") { $0.contains { $0.receivedBytes > 0 } }
        let other = try await RawClient.connect(port: daemon.port)
        try await other.send("GET http://127.0.0.1:\(half.port)/half HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = try await other.read(through: "half")

        let began = ContinuousClock.now
        let stopped = try await daemon.stop()
        let taken = ContinuousClock.now - began
        #expect(stopped.status == 0 && taken >= .seconds(1), "\(stopped) \(taken)")
        let answer = try await client.read(through: "\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable"))
        let rows = try await StoredListing.read(in: daemon.directory, []).exchanges
        #expect(
            rows.count == 2 && rows.allSatisfy { $0.outcome == "failed" && $0.failure?.cause == "shutdown" },
            "\(rows)"
        )
        #expect(rows.allSatisfy { $0.failure?.side == "proxy" })
        let phases = Dictionary(rows.map { ($0.target, $0.failure?.phase ?? "") }) { first, _ in first }
        #expect(phases == ["/silent": "wait", "/half": "receive"])
        #expect(try daemon.log().contains("warning: exchanges were still open when the time to drain was over"))
    }
}
