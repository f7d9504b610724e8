import NIOCore
import Proxy
import Support
import Synchronization
import Testing
import Traffic

/// A proxy that answers by itself: what reaches the source, what reaches the client, and that nothing goes upstream.
@Suite(.timeLimit(.minutes(15)))
struct AnswerSourceTests {
    /// Answers with what it was asked, or as the path says.
    private final class Echo: AnswerSource {
        let asked = Mutex<[AskedRequest]>([])
        let large = Large()

        func answer(_ request: AskedRequest, _ give: @escaping @Sendable (SuppliedAnswer) -> Void) {
            asked.withLock { $0.append(request) }
            switch request.target {
            case "/close": give(.close)
            case "/fail":
                give(
                    .failure(
                        ExchangeFailure(side: .upstream, phase: .wait, cause: .unanswered, message: "It was so.")
                    )
                )
            case "/nonsense": give(.response(head: ByteBuffer(string: "no head\r\n\r\n"), body: nil))
            case "/broken":
                give(
                    .response(head: ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"), body: Broken())
                )
            case "/short", "/long":
                let head = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
                let text = request.target == "/short" ? "12345" : "1234567890"
                give(.response(head: head, body: Once(ByteBuffer(string: text))))
            case "/large":
                let head = "HTTP/1.1 200 OK\r\nContent-Length: \(Large.lengthBytes)\r\n\r\n"
                give(.response(head: ByteBuffer(string: head), body: large))
            default:
                let text = "\(request.method) \(request.scheme.rawValue) \(request.endpoint) \(request.isAddressedHere)"
                let body =
                    ByteBuffer(string: "\(text) \(request.target) ").readableBytesView + request.body.readableBytesView
                let head =
                    "HTTP/1.1 200 Fine\r\nX-A: 1\r\nConnection: X-Hop\r\nX-Hop: 1\r\nContent-Length: \(body.count)\r\n\r\n"
                give(.response(head: ByteBuffer(string: head), body: Once(ByteBuffer(bytes: body))))
            }
        }
    }

    private final class Once: SuppliedBody {
        private let rest: Mutex<ByteBuffer?>
        init(_ bytes: ByteBuffer) { rest = Mutex(bytes) }

        func next(_ give: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void) {
            give(.success(rest.withLock { $0.take() } ?? ByteBuffer()))
        }
    }

    private struct Broken: SuppliedBody {
        func next(_ give: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void) {
            give(.failure(ChannelError.eof))
        }
    }

    /// 24 MiB that are made when they are asked for.
    private final class Large: SuppliedBody {
        static let lengthBytes = 24 << 20
        let givenBytes = Watched(0)

        func next(_ give: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void) {
            let count = givenBytes.update { given in
                let count = min(Large.lengthBytes - given, 64 << 10)
                given += count
                return count
            }
            give(.success(ByteBuffer(repeating: 0x61, count: count)))
        }
    }

    private static func run(_ body: (RunningProxy, LoopbackOrigin, Echo) async throws -> Void) async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        let echo = Echo()
        try await RunningProxy.run(configure: {
            $0.answers = echo
            $0.ownNames = ["there.test", "any.test", "h"]
            $0.passThrough = []
            $0.matchesProtocols = false
            $0.peekTimeout = .hours(1)
        }) { try await body($0, origin, echo) }
        #expect(origin.connections.isEmpty, "Nothing is connected to")
    }

    @Test("A client of SOCKS is answered too, and nothing is connected to for it")
    func socks() async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run(configure: {
            WaysInTests.listening(.socks5(nil))(&$0)
            $0.answers = Echo()
        }) { proxy in
            let socks = try await SOCKSClient.connect(proxy.port, host: "there.test", port: origin.port)
            #expect(socks.reply == 0)
            try await socks.client.send("GET /a HTTP/1.1\r\nHost: there.test:\(origin.port)\r\n\r\n")
            let answer = try await socks.client.read(through: " /a ")
            #expect(answer.hasSuffix("\r\n\r\nGET http there.test:\(origin.port) false /a "), "\(answer)")
            #expect(try await proxy.record().exchange.outcome == .completed)
        }
        #expect(origin.connections.isEmpty)
    }

    @Test("Origin-form, absolute-form and a tunnel are answered, each as where its client says that it goes")
    func forms() async throws {
        try await Self.run { proxy, origin, _ in
            let fine = "HTTP/1.1 200 Fine\r\nX-A: 1\r\nContent-Length: "
            let client = try await proxy.connect()
            try await client.send("GET /a?b HTTP/1.1\r\nHost: there.test:81\r\n\r\n")
            #expect(try await client.read(through: " /a?b ") == fine + "33\r\n\r\nGET http there.test:81 true /a?b ")
            try await client.send(
                "POST http://127.0.0.1:\(origin.port)/c HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\nContent-Length: 2\r\n\r\nhi"
            )
            #expect(
                try await client.read(through: " /c hi").hasSuffix("POST http 127.0.0.1:\(origin.port) false /c hi")
            )
            let plain = try await proxy.tunnel(to: origin.port)
            try await plain.send("GET /d HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await plain.read(through: " /d ").hasSuffix("GET http localhost:\(origin.port) false /d "))
            let secure = try await proxy.secureTunnel(to: origin.port)
            try await secure.send("GET /e HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await secure.read(through: " /e ").hasSuffix("GET https localhost:\(origin.port) false /e "))
            let direct = try await proxy.connect()
            try await direct.startTLS(name: "localhost", trusting: proxy.rootFile)
            try await direct.send("GET /f HTTP/1.1\r\nHost: any.test\r\n\r\n")
            #expect(try await direct.read(through: " /f ").hasSuffix("GET https any.test:443 true /f "))
        }
    }

    @Test("A tunnel for something that is not HTTP is closed and recorded, and goes nowhere")
    func opaque() async throws {
        try await Self.run { proxy, origin, _ in
            let client = try await proxy.tunnel(to: origin.port)
            try await client.send([0, 1, 2, 3, 4, 5, 6, 7])
            #expect(try await client.readToEnd().isEmpty)
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .failed && record.exchange.failure?.cause == .offline)
        }
    }

    @Test("A body that waits to be asked for is asked for, and chunks are taken apart")
    func requestBodies() async throws {
        try await Self.run { proxy, _, echo in
            let client = try await proxy.connect()
            try await client.send(
                "PUT /x HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await client.send("2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n")
            #expect(try await client.read(through: " abcde").hasSuffix("PUT http h:80 true /x abcde"))
            #expect(echo.asked.withLock { $0.first?.isBodyWhole } == true)
        }
    }

    @Test("What cannot be given is our own 502; a break is a break")
    func failures() async throws {
        try await Self.run { proxy, _, _ in
            let client = try await proxy.connect()
            try await client.send("GET /fail HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.read(through: "It was so.\n").hasPrefix("HTTP/1.1 502 Bad Gateway\r\n"))
            try await client.send("GET /nonsense HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(
                try await client.read(through: "is not a version, a code and a reason.\n").hasPrefix("HTTP/1.1 502 ")
            )
            // No byte of an answer where there was none, and of the other what there was of it at most.
            for (target, most) in [("/close", ""), ("/broken", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")] {
                let broken = try await proxy.connect()
                try await broken.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
                let answer = String(decoding: try await broken.readToEnd(), as: UTF8.self)
                #expect((answer.isEmpty || answer == most) && broken.soFar.error != nil, "\(target): \(answer)")
            }
            let causes = try await proxy.sink.ended(4).suffix(2).map(\.failure)
            #expect(causes == ["proxy wait closed", "upstream receive broken"])
        }
    }

    @Test("A body that is shorter or longer than its head says is broken off", arguments: ["/short", "/long"])
    func wrongLength(_ target: String) async throws {
        try await Self.run { proxy, _, _ in
            let client = try await proxy.connect()
            try await client.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
            let answer = String(decoding: try await client.readToEnd(), as: UTF8.self)
            #expect(!answer.hasSuffix("1234567890") && client.soFar.error != nil, "\(answer)")
            #expect(try await proxy.sink.ended(1).map(\.failure) == ["upstream receive broken"])
        }
    }

    @Test("A request whose body stops coming ends in time, and a source that never answers too")
    func silence() async throws {
        let silent = Silent()
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                $0.answers = silent
                $0.ownNames = ["h"]
                $0.pendingDelay = .zero
            }
        ) { proxy in
            let stopped = try await proxy.connect()
            let head = "POST /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"
            try await stopped.send(head)
            #expect(try await stopped.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await stopped.send("half")
            try await proxy.pass(.zero, until: "the half to be told") { proxy.sink.soFar.requestBytes == 4 }
            try await proxy.expire(.seconds(120), stopped)
            #expect(try await stopped.readToEnd() == [])
            let waiting = try await proxy.connect()
            try await waiting.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try await silent.asked.wait(for: "the request") { $0 == 1 }
            try await proxy.expire(.seconds(120), waiting)
            #expect(try await waiting.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 504 "))
            let sides = try await proxy.sink.ended(2).map { $0.exchange.failure?.side }
            #expect(sides == [.client, .upstream])
        }
    }

    /// Never answers.
    private final class Silent: AnswerSource {
        let asked = Watched(0)

        func answer(_ request: AskedRequest, _ give: @escaping @Sendable (SuppliedAnswer) -> Void) {
            asked.update { $0 += 1 }
        }
    }

    @Test("A large body is asked for as its client takes it")
    func backpressure() async throws {
        try await Self.run { proxy, _, echo in
            let given = echo.large.givenBytes
            let client = try await proxy.connect(holdsLittle: true)
            try await client.setReading(false)
            try await client.send("GET /large HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            // Another exchange goes all the way meanwhile: the loops are free.
            let other = try await proxy.connect()
            try await other.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try await other.read(through: " /a ")
            _ = try await given.wait(for: "the body to be asked for") { $0 > 0 }
            #expect(try await given.settled({ $0 }, for: .milliseconds(300)) < Large.lengthBytes / 2)
            try await client.setReading(true)
            #expect(try await client.readToEnd(within: .seconds(30)).count > Large.lengthBytes)
            #expect(given.value == Large.lengthBytes)
        }
    }
}
