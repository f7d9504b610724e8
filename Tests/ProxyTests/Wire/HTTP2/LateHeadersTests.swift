import Support
import Testing
import Traffic

/// HEADERS that a client sends behind the end of a stream (RFC 9113 §5.1).
@Suite(.timeLimit(.minutes(15)))
struct LateHeadersTests {
    /// What a client sends behind the head of a request.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether the head ends the stream.
        var isWhole = false
        let rest: [UInt8]
        /// The code of the stream's reset.
        let code: UInt8
    }

    private static let last = H2Frames.headers([("x", "y")], H2Frames.endStream)
    private static let open = H2Frames.headers([("x", "y")], 0)

    private static let cases = [
        Case(testDescription: "HEADERS behind a whole head", isWhole: true, rest: last, code: 5),
        Case(testDescription: "HEADERS without an end behind a whole head", isWhole: true, rest: open, code: 5),
        Case(
            testDescription: "HEADERS behind the end of the content",
            rest: H2Frames.data("x", H2Frames.endStream) + last,
            code: 5
        ),
        Case(testDescription: "HEADERS behind trailers", rest: last + last, code: 5),
        Case(testDescription: "trailers without an end", rest: H2Frames.data("x") + open, code: 1),
    ]

    @Test(
        "The stream is reset with the right code, the upstream's is cancelled, and the connection serves on",
        arguments: cases
    )
    func halfClosed(example: Case) async throws {
        let origin = try await LoopbackOrigin.start { H2Frames.reply(to: $0) }
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            let fields = [(":method", "POST"), (":scheme", "http"), (":authority", authority), (":path", "/")]
            let head = H2Frames.headers(fields, example.isWhole ? H2Frames.endStream : 0)
            try await client.send(H2Frames.opening + head)
            _ = try await origin.connections("the request") { Self.frames($0.first).contains { $0.type == 1 } }
            try await client.send(example.rest)
            let bytes = try await client.read("the reset") { bytes in
                H2Frames.read(bytes).contains { $0.type == 3 } ? bytes.count : nil
            }
            let reset = H2Frames.read(bytes).first { $0.type == 3 }
            #expect(reset?.stream == 1 && reset?.payload == [0, 0, 0, example.code], "\(String(describing: reset))")
            let name = example.code == 5 ? "STREAM_CLOSED" : "PROTOCOL_ERROR"
            let record = try await proxy.record()
            #expect(
                record.exchange.failure?.message
                    == "The client broke the rules of HTTP/2 on the stream, which was reset (\(name))."
            )
            // CANCEL.
            _ = try await origin.connections("its own stream's reset") { connections in
                Self.frames(connections.first).contains { $0.type == 3 && $0.payload == [0, 0, 0, 8] }
            }
            try await client.send(H2Frames.headers([(":method", "CONNECT"), (":authority", "a:1")], 1, stream: 3))
            _ = try await client.read("an answer") { bytes in
                H2Frames.read(bytes).contains { $0.type == 1 && $0.stream == 3 } ? bytes.count : nil
            }
        }
    }

    @Test(
        "On a closed stream HEADERS end the connection with STREAM_CLOSED, and on a number that was skipped with PROTOCOL_ERROR",
        arguments: [(1, 5), (3, 1)] as [(UInt8, UInt8)]
    )
    func closed(first: UInt8, code: UInt8) async throws {
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            // A scheme that is not taken, which is answered at once.
            let fields = [(":method", "GET"), (":scheme", "ftp"), (":authority", "a:1"), (":path", "/")]
            try await client.send(H2Frames.opening + H2Frames.headers(fields, H2Frames.endStream, stream: first))
            _ = try await client.read("the whole answer") { bytes in
                H2Frames.read(bytes).contains { $0.type == 0 && $0.flags & H2Frames.endStream == 1 } ? bytes.count : nil
            }
            // What comes with them begins another field section.
            let begun = H2Frames.frame(1, H2Frames.endStream, stream: first + 2, [0x82])
            try await client.send(H2Frames.headers(fields, H2Frames.endStream) + begun)
            let goAway = H2Frames.read(try await client.readToEnd()).first { $0.type == 7 }
            #expect(goAway?.payload.suffix(4) == [0, 0, 0, code], "\(String(describing: goAway))")
        }
    }

    @Test("Trailers that cross the proxy's reset end the connection, and no row says that the client did that")
    func crossed() async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let other = [
                (":method", "GET"), (":scheme", "http"), (":authority", "127.0.0.1:\(origin.port)"), (":path", "/"),
            ]
            // A scheme that is not taken: the answer is followed by a reset, since the request goes on.
            let refused = [(":method", "POST"), (":scheme", "ftp"), (":authority", "a:1"), (":path", "/")]
            let heads = H2Frames.headers(other, H2Frames.endStream) + H2Frames.headers(refused, 0, stream: 3)
            try await client.send(H2Frames.opening + heads)
            _ = try await client.read("the reset") { bytes in
                H2Frames.read(bytes).contains { $0.type == 3 && $0.stream == 3 } ? bytes.count : nil
            }
            try await client.send(H2Frames.headers([("x", "y")], H2Frames.endStream, stream: 3))
            let goAway = H2Frames.read(try await client.readToEnd()).first { $0.type == 7 }
            // INTERNAL_ERROR.
            #expect(goAway?.payload.suffix(4) == [0, 0, 0, 2], "\(String(describing: goAway))")
            let failures = try await proxy.sink.ended(3).map(\.failure).sorted()
            #expect(failures == ["client request scheme", "proxy deliver closed", "proxy request http2"])
        }
    }

    /// What an upstream has had behind the preface.
    private static func frames(_ connection: LoopbackOrigin.Connection?) -> [H2Frames.Frame] {
        H2Frames.read(Array(connection?.received.dropFirst(24) ?? []))
    }
}
