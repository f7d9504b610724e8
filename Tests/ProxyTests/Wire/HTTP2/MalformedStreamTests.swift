import Proxy
import Support
import Testing
import Traffic

/// Requests of HTTP/2 that are malformed: each has an answer that says why, and its stream is reset all the same (RFC 9113 §8.1.1).
@Suite(.timeLimit(.minutes(15)))
struct MalformedStreamTests {
    /// A request, and what is wrong with it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// In place of `POST / HTTP/2`'s fields, where `AUTHORITY` stands for the upstream's.
        var fields: [(String, String)] = Case.right
        /// Further ones.
        var more: [(String, String)] = []
        /// What follows the head; without, that ends the stream.
        var content: [String] = []
        var trailers: [(String, String)] = []

        static let right = [(":method", "POST"), (":scheme", "http"), (":authority", "AUTHORITY"), (":path", "/")]

        static func without(_ name: String) -> [(String, String)] { right.filter { $0.0 != name } }

        func frames(for authority: String) -> [UInt8] {
            let head = (fields + more).map { ($0, $1 == "AUTHORITY" ? authority : $1) }
            let hasMore = !content.isEmpty || !trailers.isEmpty
            var bytes = H2Frames.headers(head, hasMore ? 0 : H2Frames.endStream)
            for (index, piece) in content.enumerated() {
                let isLast = index + 1 == content.count && trailers.isEmpty
                bytes += H2Frames.data(piece, isLast ? H2Frames.endStream : 0)
            }
            return trailers.isEmpty ? bytes : bytes + H2Frames.headers(trailers, H2Frames.endStream)
        }
    }

    private static let cases = [
        Case(testDescription: "an upper-case name", more: [("X-Test", "ok")]),
        Case(testDescription: "an unknown pseudo-header field", more: [(":test", "ok")]),
        Case(testDescription: "a response's pseudo-header field", fields: [(":status", "200")] + Case.right),
        Case(testDescription: "a pseudo-header field behind others", fields: [("x", "y")] + Case.right),
        Case(testDescription: "a pseudo-header field in trailers", content: ["test"], trailers: [(":method", "GET")]),
        Case(testDescription: "a field of HTTP/1 connections", more: [("connection", "keep-alive")]),
        Case(testDescription: "another TE than trailers", more: [("te", "trailers, deflate")]),
        Case(testDescription: "an empty path", fields: Case.without(":path") + [(":path", "")]),
        Case(testDescription: "no method", fields: Case.without(":method")),
        Case(testDescription: "no scheme", fields: Case.without(":scheme")),
        Case(testDescription: "no path", fields: Case.without(":path")),
        Case(testDescription: "two methods", fields: Case.right + [(":method", "GET")]),
        Case(testDescription: "two schemes", fields: Case.right + [(":scheme", "http")]),
        Case(testDescription: "two paths", fields: Case.right + [(":path", "/")]),
        Case(testDescription: "a length that is too short", more: [("content-length", "1")], content: ["test"]),
        Case(testDescription: "a length that is too long", more: [("content-length", "9")], content: ["te", "st"]),
    ]

    @Test(
        "The answer is out before the stream is reset, and the next request of the connection is served",
        arguments: cases
    )
    func reset(example: Case) async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(H2Frames.opening + example.frames(for: "127.0.0.1:\(origin.port)"))
            let frames = try await Self.read(client, "the reset") { $0.type == 3 && $0.stream == 1 }
            let own = frames.filter { $0.stream == 1 && $0.type != 8 }
            // The answer's head and paragraph, neither of which ends the stream, since it could not be reset then.
            #expect(own.map(\.type) == [1, 0, 3], "\(own)")
            #expect(own.dropLast().allSatisfy { $0.flags & H2Frames.endStream == 0 })
            #expect(own.last?.payload == [0, 0, 0, 1])
            let paragraph = own.first { $0.type == 0 }.map { String(decoding: $0.payload, as: UTF8.self) } ?? ""
            #expect(paragraph.hasPrefix("400 Bad Request. "), "\(paragraph)")
            let record = try await proxy.record()
            #expect(record.failure.hasPrefix("client request "), "\(record.failure)")
            #expect(record.exchange.ownResponse != nil)
            // The connection is none the worse for it.
            let other = H2Frames.headers([(":method", "CONNECT"), (":authority", "a:1")], 1, stream: 3)
            try await client.send(other)
            _ = try await Self.read(client, "an answer") { $0.type == 1 && $0.stream == 3 }
        }
    }

    @Test("A request that is right and not taken has its answer, and ends properly")
    func notTaken() async throws {
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let fields = Case.without(":scheme").map { ($0, $1 == "AUTHORITY" ? "a:1" : $1) } + [(":scheme", "ftp")]
            try await client.send(H2Frames.opening + H2Frames.headers(fields, H2Frames.endStream))
            let frames = try await Self.read(client, "the end") { $0.stream == 1 && $0.type == 0 && $0.flags & 1 == 1 }
            #expect(!frames.contains { $0.type == 3 })
            #expect(try await proxy.record().failure == "client request scheme")
        }
    }

    @Test("What is wrong with the rest of a request that has had its answer makes no second row, and cuts nothing off")
    func restOfAnswered() async throws {
        let size = 100
        let answer = "HTTP/1.1 413 No\r\nConnection: close\r\nContent-Length: \(size)\r\n\r\n"
        let origin = try await LoopbackOrigin.start(tls: Certificates.server("good")) { unanswered in
            guard unanswered.firstRange(of: Array("\r\n\r\n".utf8)) != nil else { return nil }
            let response = Array(answer.utf8) + [UInt8](repeating: 120, count: size)
            return .init(consuming: unanswered.count, .send(response), .close)
        }
        try await RunningProxy.run(clock: TestClock(), configure: { $0.matchesProtocols = false }) { proxy in
            let client = try await proxy.tunnel(to: origin.port)
            try await client.startTLS(name: "localhost", trusting: proxy.rootFile, protocols: ["h2"])
            // A window of ten bytes.
            let settings = H2Frames.frame(4, 0, stream: 0, [0, 4, 0, 0, 0, 10])
            let fields = [
                (":method", "POST"), (":scheme", "https"), (":authority", "localhost:\(origin.port)"), (":path", "/"),
                ("content-length", "20"),
            ]
            let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
            try await client.send(preface + settings + H2Frames.headers(fields, 0) + H2Frames.data("hello"))
            #expect(try await proxy.record().exchange.outcome == .completed)
            let first = try await Self.read(client, "ten bytes") { $0.type == 0 && !$0.payload.isEmpty }
            try await client.send(H2Frames.data(String(repeating: "x", count: 30)))
            try await client.stays("without a reset", for: .milliseconds(100)) { inbox in
                !H2Frames.read(inbox.unread).contains { $0.type == 3 }
            }
            #expect(proxy.sink.soFar.ended.count == 1)
            try await client.send(H2Frames.frame(8, 0, [0, 0, 4, 0]))
            let rest = try await Self.read(client, "the reset") { $0.type == 3 }
            let content = (first + rest).filter { $0.type == 0 }
            #expect(content.map(\.payload.count).reduce(0, +) == size)
            #expect(content.last.map { $0.flags & H2Frames.endStream } == H2Frames.endStream)
            // Nobody wants the rest of the request, and that is all.
            #expect(rest.last?.payload == [0, 0, 0, 0])
        }
    }

    /// Reads frames up to one that is looked for.
    private static func read(
        _ client: RawClient,
        _ what: String,
        until isLast: @escaping @Sendable (H2Frames.Frame) -> Bool
    ) async throws -> [H2Frames.Frame] {
        let bytes = try await client.read(what) { bytes in
            H2Frames.read(bytes).contains(where: isLast) ? bytes.count : nil
        }
        return H2Frames.read(bytes)
    }
}
