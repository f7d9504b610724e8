import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Support
import Testing
import Traffic

@testable import Web

@Suite("The requests of a connection are answered one behind the other", .timeLimit(.minutes(15)))
struct RequestQueueTests {
    /// Keeps what is written from going out, and the reads and closes that reach it.
    private final class Held: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart
        var heads: [HTTPResponse] = []
        var written: EventLoopPromise<Void>?
        var reads = 0
        var closes: [CloseMode] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .head(let head) = unwrapOutboundIn(data) { heads.append(head) }
            written = promise
        }

        func read(context: ChannelHandlerContext) { reads += 1 }

        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            closes.append(mode)
            promise?.succeed()
        }
    }

    /// What is passed on, in words.
    private final class Passed: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart
        var words: [String] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): words.append(head.path ?? "")
            case .body: words.append("body")
            case .end: words.append("end")
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { words.append("error") }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { words.append("closed") }
        }
    }

    private struct Garbage: Error {}

    /// A connection that is only its queue.
    private struct Connection {
        let held = Held()
        let passed = Passed()
        let channel: EmbeddedChannel

        init() { channel = EmbeddedChannel(handlers: [held, RequestQueue(), passed]) }

        func ask(_ path: String, _ fields: HTTPFields = [:], body: String? = nil) throws {
            let head = HTTPRequest(method: .get, scheme: "http", authority: "page", path: path, headerFields: fields)
            try channel.writeInbound(HTTPRequestPart.head(head))
            if let body { try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: body))) }
            try channel.writeInbound(HTTPRequestPart.end(nil))
        }

        /// Writes an answer, which is with the system at once.
        func answer(_ fields: HTTPFields = [:]) throws {
            channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok, headerFields: fields)), promise: nil)
            channel.write(HTTPResponsePart.end(nil), promise: nil)
            try #require(held.written).succeed()
        }

        /// The client sends what is no HTTP, and closes its own side.
        func end() {
            channel.pipeline.fireErrorCaught(Garbage())
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
    }

    @Test(
        "A head with many combining marks holds no loop, and what is passed on can be compared",
        arguments: ["Connection", "Origin"]
    )
    func marks(name: String) throws {
        func time(_ count: Int) throws -> Double {
            let marks = String(repeating: "\u{301}", count: count) + String(repeating: "\u{316}", count: count)
            let connection = Connection()
            let field = try #require(HTTPField.Name(name))
            return try ThreadTime.of { try connection.ask("/\(marks)", [field: marks]) }
        }
        _ = try time(10)
        #expect(try time(8_000) < time(1_000) * 40 + 20_000_000)
        let connection = Connection()
        try connection.ask("/a" + String(repeating: "\u{301}", count: 100))
        #expect(connection.passed.words.first.map { ByteText.isText($0) } == true)
    }

    @Test("Our side is closed once the end of the answer is with the system; a close of both sides waits for nothing")
    func closes() throws {
        let connection = Connection()
        let (held, channel) = (connection.held, connection.channel)
        channel.write(HTTPResponsePart.end(nil), promise: nil)
        let closed = channel.close(mode: .output)
        #expect(held.closes.count == 0)
        channel.close(promise: nil)
        #expect(held.closes.count == 1)
        try #require(held.written).succeed()
        try closed.wait()
        #expect(held.closes.count == 2)
    }

    @Test("A request waits for the answer to the one before it with all that comes behind it, and nothing is read")
    func turns() throws {
        let connection = Connection()
        let (held, passed) = (connection.held, connection.passed)
        try connection.ask("/1", body: "x")
        connection.channel.read()
        #expect(held.reads == 1)
        try connection.ask("/2")
        try connection.ask("/3")
        connection.end()
        connection.channel.read()
        #expect(passed.words == ["/1", "body", "end"] && held.reads == 1)
        try connection.answer()
        #expect(passed.words.dropFirst(3) == ["/2", "end"] && held.reads == 1)
        try connection.answer()
        #expect(passed.words.dropFirst(5) == ["/3", "end"] && held.reads == 1)
        try connection.answer()
        #expect(passed.words.dropFirst(7) == ["error", "closed"] && held.reads == 2)
        #expect(held.closes.count == 0 && held.heads.allSatisfy { $0.headerFields[.connection] == nil })
    }

    @Test("Of a client that asks more than may wait, what waits is answered, and then the connection is over")
    func tooMany() throws {
        let connection = Connection()
        for number in 0..<40_000 { try connection.ask("/\(number)") }
        var answered = 0
        while connection.passed.words.last == "end", answered < 40_000 {
            try connection.answer()
            answered += 1
        }
        // The first does not wait.
        #expect(answered == 16_384 && connection.passed.words.suffix(3) == ["/\(answered)", "end", "closed"])
    }

    @Test("A body that is longer than may wait is broken off, and is not taken for a whole one")
    func tooLong() throws {
        let connection = Connection()
        try connection.ask("/1")
        let head = HTTPRequest(method: .post, scheme: "http", authority: "page", path: "/2")
        try connection.channel.writeInbound(HTTPRequestPart.head(head))
        for _ in 0..<70_000 {
            try connection.channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
        }
        try connection.channel.writeInbound(HTTPRequestPart.end(nil))
        try connection.answer()
        #expect(connection.passed.words.prefix(3) == ["/1", "end", "/2"])
        #expect(connection.passed.words.suffix(3) == ["body", "error", "closed"])
        #expect(connection.passed.words.count { $0 == "end" } == 1)
    }

    @Test("What is no HTTP waits for the answer to a whole request before it; one that it breaks off is told at once")
    func garbage() throws {
        let (whole, broken) = (Connection(), Connection())
        try whole.ask("/1")
        whole.end()
        #expect(whole.passed.words == ["/1", "end"])
        try whole.answer()
        #expect(whole.passed.words.dropFirst(2) == ["error", "closed"])
        try broken.channel.writeInbound(
            HTTPRequestPart.head(HTTPRequest(method: .post, scheme: "http", authority: "page", path: "/2"))
        )
        broken.end()
        #expect(broken.passed.words == ["/2", "error", "closed"])
    }

    /// What makes a request the last one: its fields, those of its answer, and whether it asks for another protocol.
    static let lasts: [(asked: HTTPFields, answered: HTTPFields, isOther: Bool)] = [
        ([:], [.connection: "close"], false), ([.connection: "close"], [:], false),
        ([.connection: "te ,Close"], [:], false), ([.upgrade: "x"], [:], true),
    ]

    @Test("Behind the last one nothing is read or passed on, and its answer ends the connection", arguments: lasts)
    func last(asked: HTTPFields, answered: HTTPFields, isOther: Bool) throws {
        let connection = Connection()
        let (held, passed) = (connection.held, connection.passed)
        try connection.ask("/1", asked)
        try connection.ask("/2")
        connection.end()
        connection.channel.read()
        try connection.answer(answered)
        #expect(passed.words == ["/1", "end", "closed"] && held.reads == 0)
        #expect(held.heads.first?.headerFields[.connection] == "close")
        #expect(held.closes == [isOther ? .all : .output])
    }

    @Test("Once an answer says that it is the last one, its client is seen leaving, whatever came before that")
    func leaves() throws {
        let connection = Connection()
        try connection.ask("/1")
        try connection.ask("/2")
        connection.end()
        #expect(connection.passed.words == ["/1", "end"])
        let head = HTTPResponse(status: .ok, headerFields: [.connection: "close"])
        connection.channel.write(HTTPResponsePart.head(head), promise: nil)
        #expect(connection.passed.words == ["/1", "end", "closed"])
    }

    @Test("What waits when the server ends is not begun any more")
    func ending() throws {
        let connection = Connection()
        try connection.ask("/1")
        try connection.ask("/2")
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        try connection.answer()
        #expect(connection.passed.words == ["/1", "end"])
    }

    // MARK: on the wire

    /// Sends requests at once, and reads all that comes back.
    private func ask(_ page: RunningPage, _ targets: [String], isHalfClosed: Bool = false) async throws -> String {
        let client = try await RawClient.connect(port: page.port)
        let fields = "Host: 127.0.0.1:\(page.port)\r\nAuthorization: Bearer \(page.token)\r\n"
        try await client.send(targets.map { "GET \($0) HTTP/1.1\r\n\(fields)\r\n" }.joined())
        if isHalfClosed { try await client.halfClose() }
        return String(decoding: try await client.readToEnd(), as: UTF8.self)
    }

    @Test("Requests that come together are answered in their order, and so where the client then closes its own side")
    func together() async throws {
        try await RunningPage.with { page in
            let targets = ["/api/v1/instance", "/api/v1/nothing", "/api/v1/instance"]
            let all = try await ask(page, targets, isHalfClosed: true)
            let statuses = all.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
            #expect(statuses == ["200", "404", "200"], "\(all)")
        }
    }

    @Test(
        "An answer that costs the connection is whole and the last one, whatever came behind its request",
        arguments: ["/api/v1/export", "/api/v1/export/report"]
    )
    func costs(_ target: String) async throws {
        try await RunningPage.with { page in
            // Which of the two is seen first, the end of the answer or the next request, is chance.
            for _ in 0..<20 {
                let all = try await ask(page, [target, "/api/v1/instance"])
                #expect(all.components(separatedBy: "HTTP/1.1 200 OK\r\n").count == 2, "\(all)")
                #expect(all.lowercased().contains("\r\nconnection: close\r\n") && all.hasSuffix("\r\n0\r\n\r\n"))
            }
        }
    }
}
