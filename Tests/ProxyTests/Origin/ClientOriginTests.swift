import Foundation
import Proxy
import Support
import Testing
import Traffic

#if os(Linux)
@Suite("The program behind a client's connection", .timeLimit(.minutes(15)))
struct ClientOriginTests {
    private static func origin(_ tls: LoopbackOrigin.TLS? = nil) async throws -> LoopbackOrigin {
        let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
        return try await LoopbackOrigin.start(tls: tls, script: RawRequest.answering { _ in ok })
    }

    @Test("The record of its first exchange already names it, in the clear and inside TLS")
    func named() async throws {
        let plain = try await Self.origin()
        let secure = try await Self.origin(Certificates.server("good"))
        var ids: Set<Int32> = []
        for url in ["http://127.0.0.1:\(plain.port)/", "https://localhost:\(secure.port)/"] {
            // Each of a proxy that has not looked for a program before: it rests after a search. The record waits for as long as this one takes.
            try await RunningProxy.run(clock: TestClock()) { proxy in
                let options = ["-sS", "-o", "/dev/null", "--noproxy", "", "--cacert", proxy.rootFile]
                let result = try await CommandLineTool.run(
                    "curl",
                    options + ["-x", "http://127.0.0.1:\(proxy.port)", url]
                )
                #expect(result.status == 0, "\(result.errors)")
                let exchange = try await proxy.record().exchange
                let process = try #require(exchange.client.process, "\(exchange.target)")
                #expect(process.name == "curl" && process.executable == "curl" && process.id > 1)
                #expect(exchange.summary.process == "curl" && Facet.process.value(exchange.summary) == "curl")
                ids.insert(process.id)
            }
        }
        #expect(ids.count == 2)
    }

    @Test("Every connection of a program is named, also those after it has become another program")
    func severalAndAnother() async throws {
        let origin = try await Self.origin()
        let script = """
            import os, socket, sys
            held = []
            for number in range(12):
                client = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
                client.sendall(b"GET http://127.0.0.1:%s/%d HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n" % (sys.argv[2].encode(), number))
                answer = b""
                while b"ok" not in answer:
                    piece = client.recv(4096)
                    assert piece, answer
                    answer += piece
                held.append(client)
                if number % 3 == 0: held.pop(0).close()
            os.execvp("curl", ["curl", "-sS", "--noproxy", "", "-x", "http://127.0.0.1:" + sys.argv[1],
                "http://127.0.0.1:" + sys.argv[2] + "/last?[1-1000000]"])
            """
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try RunningProcess(
                try CommandLineTool.find("python3"),
                ["-c", script, "\(proxy.port)", "\(origin.port)"]
            )
            // What comes right after a search is recorded without waiting for the next: the connection asks until it is named.
            let told = try await proxy.sink.told("a row of the other program") {
                $0.ended.last.map { $0.exchange.target.hasPrefix("/last") && $0.exchange.client.process != nil }
                    ?? false
            }
            _ = try await client.destroy()
            let ended = told.ended.map(\.exchange)
            let names = ended.prefix(12).map { "\($0.target) \($0.client.process?.name.prefix(6) ?? "-")" }
            #expect(names == (0..<12).map { "/\($0) python" })
            #expect(ended.last?.client.process?.name == "curl")
            #expect(Set(ended.compactMap(\.client.process?.id)) == [client.id])
        }
    }

    @Test("So does that of a tunnel")
    func inTunnels() async throws {
        let gate = Gate()
        let origin = try await LoopbackOrigin.start { bytes in
            LoopbackOrigin.Reply(consuming: bytes.count, .send(Array("bye".utf8)), .held(gate), .close)
        }
        let other = try await LoopbackOrigin.fine()
        try await RunningProxy.run(configure: { $0.passThrough = ["localhost"].compactMap { HostPattern($0) } }) {
            proxy in
            let client = try await proxy.tunnel(to: origin.port)
            try await client.send("hello")
            #expect(try await client.read(count: 3) == Array("bye".utf8))
            // Programs are found in the order of their connections: this one's is, once a later one's is.
            let end = ContinuousClock.now + Patience.stretched(.seconds(10))
            while !proxy.sink.soFar.ended.contains(where: { $0.exchange.client.process != nil }) {
                try #require(ContinuousClock.now < end)
                try await proxy.serves(other)
            }
            try await proxy.server.beat()
            gate.open()
            try await client.close()
            let told = try await proxy.sink.told("the tunnel") { $0.ended.contains { $0.exchange.method == "CONNECT" } }
            let exchange = try #require(told.ended.first { $0.exchange.method == "CONNECT" }).exchange
            #expect(exchange.outcome == .tunnelled)
            // The test itself is the client.
            #expect(exchange.client.process?.id == ProcessInfo.processInfo.processIdentifier)
        }
    }
}
#endif
