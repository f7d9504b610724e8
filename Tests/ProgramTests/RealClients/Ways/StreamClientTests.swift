import Foundation
import Support
import Testing

/// Streams, downloads that go on, and uploads that ask first behave under the proxy as they do without it.
@Suite(.timeLimit(.minutes(15))) struct StreamClientTests {
    private static let file = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }

    /// An origin of one file: whole, or the range that is asked for.
    private static func files() async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(
            script: RawRequest.answering { request in
                let common = "ETag: \"v1\"\r\nAccept-Ranges: bytes\r\nContent-Type: application/octet-stream\r\n"
                guard let range = request.field("range"), let match = range.firstMatch(of: /bytes=([0-9]+)-([0-9]*)$/),
                    let start = Int(match.output.1), start < file.count
                else {
                    return Array("HTTP/1.1 200 OK\r\n\(common)Content-Length: \(file.count)\r\n\r\n".utf8) + file
                }
                let end = min(Int(match.output.2) ?? file.count - 1, file.count - 1)
                let field = "Content-Range: bytes \(start)-\(end)/\(file.count)\r\n"
                return Array(
                    "HTTP/1.1 206 Partial Content\r\n\(common)\(field)Content-Length: \(end - start + 1)\r\n\r\n".utf8
                )
                    + file[start...end]
            }
        )
    }

    @Test("Ranges, and a download that is resumed, are the same as direct")
    func ranges() async throws {
        let origin = try await Self.files()
        let inspect = try await RunningInspect.start()
        let url = "http://127.0.0.1:\(origin.port)/file"
        var outputs: [[[UInt8]]] = []
        for proxy in [[], ["-x", inspect.proxy]] {
            let common = ["-sS", "--noproxy", proxy.isEmpty ? "*" : "", "-A", "curl-test"] + proxy
            let partial = inspect.directory.file("partial\(proxy.count)")
            try Data(Self.file.prefix(12_345)).write(to: URL(filePath: partial))
            let resumed = try await CommandLineTool.run("curl", common + ["-C", "-", "-o", partial, url])
            #expect(resumed.status == 0, "\(resumed.errors)")
            let ranged = try await CommandLineTool.run("curl", common + ["-r", "5-104", "-D", "-", url])
            outputs.append([Array(try Data(contentsOf: URL(filePath: partial))), ranged.outputBytes])
        }
        #expect(outputs[0] == outputs[1] && outputs[1][0] == Self.file)
        let requests = origin.connections.map(\.receivedText).sorted()
        // Under the proxy both requests of curl go over one connection of the proxy's.
        #expect(requests.joined().components(separatedBy: "Range: bytes=12345-").count == 3)
        let rows = try await inspect.listing().exchanges
        #expect(rows.map(\.code) == [206, 206] && rows.map(\.responseBytes) == [100, Self.file.count - 12_345])
    }

    @Test(
        "An upload that asks first goes on with the origin's 100, and not at all after a refusal",
        arguments: [true, false]
    )
    func expectContinue(isWanted: Bool) async throws {
        let body = [UInt8](repeating: 0x62, count: 300_000)
        let origin = try await LoopbackOrigin.start { unanswered in
            guard unanswered.starts(with: Array("POST".utf8)) else {
                // The body, which is asked for.
                guard unanswered.count >= body.count else { return nil }
                return .init(
                    consuming: body.count,
                    .send(Array("HTTP/1.1 201 Made\r\nContent-Length: 4\r\n\r\nmade".utf8))
                )
            }
            guard let end = unanswered.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
            let answer =
                isWanted
                ? "HTTP/1.1 100 Go on\r\nX-A: 1\r\n\r\n"
                : "HTTP/1.1 413 Too much\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno"
            return isWanted
                ? .init(consuming: end, .send(Array(answer.utf8)))
                : .init(consuming: end, .send(Array(answer.utf8)), .close)
        }
        let inspect = try await RunningInspect.start()
        let upload = inspect.directory.file("upload")
        try Data(body).write(to: URL(filePath: upload))
        var outputs: [String] = []
        for proxy in [[], ["-x", inspect.proxy]] {
            let result = try await CommandLineTool.run(
                "curl",
                [
                    "-sS", "--http1.1", "--noproxy", proxy.isEmpty ? "*" : "", "--expect100-timeout",
                    "\(Patience.seconds(20))", "-H",
                    "Expect: 100-continue", "--data-binary", "@\(upload)", "-o", "-", "-w",
                    " %{http_code} %{size_upload}",
                    "http://127.0.0.1:\(origin.port)/",
                ] + proxy
            )
            #expect(result.status == 0, "\(result.errors)")
            outputs.append(result.output)
        }
        #expect(outputs == Array(repeating: isWanted ? "made 201 300000" : "no 413 0", count: 2))
        let row = try #require(try await inspect.listing().exchanges.first)
        #expect(row.code == (isWanted ? 201 : 413) && row.requestBytes == (isWanted ? 300_000 : 0))
    }

    /// An origin that sends an event when its client has the one before, which is told to it beside the connection.
    private static let script = """
        import asyncio, sys
        proxy, count = int(sys.argv[1]), int(sys.argv[2])

        async def main():
            has = asyncio.Semaphore(1)

            async def serve(reader, writer):
                await reader.readuntil(b"\\r\\n\\r\\n")
                writer.write(b"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n")
                for number in range(count):
                    await asyncio.wait_for(has.acquire(), \(Patience.seconds(20)))
                    event = f"data: {number}\\n\\n".encode()
                    writer.write(b"%x\\r\\n%s\\r\\n" % (len(event), event))
                    await writer.drain()
                writer.write(b"0\\r\\n\\r\\n")
                await writer.drain()
                writer.close()

            server = await asyncio.start_server(serve, "127.0.0.1", 0)
            origin = server.sockets[0].getsockname()[1]
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy)
            writer.write(f"GET http://127.0.0.1:{origin}/steps HTTP/1.1\\r\\nHost: 127.0.0.1:{origin}\\r\\n\\r\\n".encode())
            number = 0
            while True:
                line = await asyncio.wait_for(reader.readline(), \(Patience.seconds(20)))
                assert line, number
                if line.startswith(b"data: "):
                    assert line == b"data: %d\\n" % number, (line, number)
                    number += 1
                    has.release()
                if line == b"0\\r\\n": break
            print(number)

        asyncio.run(main())
        """

    @Test("Server-sent events are with the client at once, each before the next is sent")
    func lockStep() async throws {
        let count = 300
        let inspect = try await RunningInspect.start()
        let result = try await CommandLineTool.run(
            try RealClientsTests.python(),
            ["-c", Self.script, "\(inspect.port)", "\(count)"],
            within: .seconds(60)
        )
        #expect(result.status == 0 && result.output == "\(count)\n", "\(result.output)\(result.errors)")
        let rows = try await inspect.listing().exchanges
        #expect(rows.map(\.outcome) == ["completed"])
        let shown = try await RunningInspect.run(
            ["show", "1", "--messages", "--store", RunningInspect.store(inspect.directory)],
            in: inspect.directory
        )
        #expect(shown.output.split(separator: "\n").count == count)
    }

    @Test("A stream that has not ended is in the store with the events so far, and can be read there")
    func live() async throws {
        let inspect = try await RunningInspect.start()
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        let origin = try await LoopbackOrigin.start { unanswered in
            guard unanswered.suffix(4) == Array("\r\n\r\n".utf8) else { return nil }
            return .init(
                consuming: unanswered.count,
                .send(Array("\(head)id: 1\ndata: first\n\nevent: tick\ndata: second\n\n".utf8))
            )
        }
        let client = try await RawClient.connect(port: inspect.port)
        try await client.send("GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n")
        _ = try await client.read(through: "data: second\n\n")
        _ = try await inspect.listing(with: "the open exchange's events") {
            // They are told as they are read; how many they are follows.
            $0.exchanges.first?.messageCounts?["response"] == 2
        }
        let shown = try await RunningInspect.run(
            ["show", "1", "--store", RunningInspect.store(inspect.directory)],
            in: inspect.directory
        )
        #expect(
            shown.output.contains("pending") && shown.output.contains("Messages  0 sent, 2 received"),
            "\(shown.output)"
        )
        #expect(shown.output.contains("message #1") && shown.output.contains("tick"))
        // The bytes follow within a tenth of a second; each look is a command of its own.
        let deadline = ContinuousClock.now + Patience.stretched(.seconds(10))
        var body: [UInt8] = []
        while body.isEmpty, ContinuousClock.now < deadline { body = try await inspect.body(1, "response") }
        #expect(String(decoding: body, as: UTF8.self).hasSuffix("data: second\n\n"))
    }
}
