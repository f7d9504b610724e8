import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

/// Logins that count for a connection (NTLM, Negotiate): the upstream connection they were made on serves nobody else.
@Suite(.timeLimit(.minutes(15)))
struct BoundLoginTests {
    @Test(
        "They are told from logins that count for a request",
        arguments: [
            ("NTLM TlRMTVNTUAAB", true), ("ntlm x", true), ("Negotiate YII=", true), ("NEGOTIATE", true),
            ("Basic dTpw", false), ("Bearer NTLM", false), ("NTLMv2 x", false), ("Digest realm=\"NTLM\"", false),
            ("", false), ("\u{212A}erberos x", false),
        ]
    )
    func schemes(_ value: String, _ isBound: Bool) throws {
        let head = ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: \(value)\r\n\r\n")
        #expect(BoundLogin.isMade(by: HeaderList(head: head)) == isBound)
    }

    @Test(
        "A response that asks for one is told by its challenges",
        arguments: [
            (401, "WWW-Authenticate: NTLM", true), (401, "WWW-Authenticate: Basic realm=\"a\", Negotiate", true),
            (407, "Proxy-Authenticate: Negotiate YII=", true), (401, "WWW-Authenticate: Basic realm=\"a\"", false),
            (200, "WWW-Authenticate: NTLM", false),
        ]
    )
    func challenges(_ code: Int, _ field: String, _ isAsked: Bool) throws {
        let raw = ByteBuffer(string: "HTTP/1.1 \(code) x\r\n\(field)\r\nContent-Length: 0\r\n\r\n")
        let head = try HTTP1HeadParser.response(raw, to: "GET", limits: HeadLimits())
        #expect(BoundLogin.isAsked(by: head) == isAsked)
    }

    @Test("What a client has logged in on is its own until it leaves, and then nobody's")
    func pinned() async throws {
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { request in
                let login = request.field("authorization")
                let challenge = login == nil ? "NTLM" : "NTLM TlRMTVNTUAAC"
                return Array(
                    (login?.hasSuffix("DONE") == true || request.target.hasPrefix("/in")
                        ? "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
                        : "HTTP/1.1 401 No\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n").utf8
                )
            }
        )
        let host = "127.0.0.1:\(origin.port)"
        func ask(_ client: RawClient, _ target: String, _ login: String = "") async throws -> Int {
            let field = login.isEmpty ? "" : "Authorization: NTLM \(login)\r\n"
            try await client.send("GET http://\(host)\(target) HTTP/1.1\r\nHost: \(host)\r\n\(field)\r\n")
            return try await client.response().code
        }
        try await RunningProxy.run { proxy in
            let first = try await proxy.connect()
            #expect(try await ask(first, "/a1", "TlRMTVNTUAAB") == 401)
            #expect(try await ask(first, "/a2", "DONE") == 200)
            // As many others as meet the first on its loop.
            for number in 0..<(3 * proxy.server.loops.count) {
                #expect(try await ask(try await proxy.connect(), "/in\(number)") == 200)
            }
            #expect(try await ask(first, "/in-own") == 200)
            let own = try #require(origin.connections.first)
            let targets = own.receivedText.matches(of: /GET (\S+) HTTP/).map { String($0.output.1) }
            #expect(targets == ["/a1", "/a2", "/in-own"])
            #expect(!own.isClosed && !own.isClientDone)
            try await first.close()
            _ = try await origin.connections("the end of the first's") { $0.first?.isClientDone == true }
        }
    }

    @Test("A login that counts for a request leaves the connection to all")
    func shared() async throws {
        let origin = try await LoopbackOrigin.fine()
        let host = "127.0.0.1:\(origin.port)"
        try await RunningProxy.run { proxy in
            let loopCount = proxy.server.loops.count
            for _ in 0..<(4 * loopCount) {
                let client = try await proxy.connect()
                let login = "Authorization: Basic dTpw\r\n"
                try await client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\n\(login)\r\n")
                #expect(try await client.response().code == 200)
            }
            #expect(origin.connections.count <= loopCount)
        }
    }

    @Test("They count as idle connections do, and past the limit are not kept")
    func counted() async throws {
        let challenge = "HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n"
        let origin = try await LoopbackOrigin.start(script: RawRequest.answering { _ in Array(challenge.utf8) })
        let host = "127.0.0.1:\(origin.port)"
        try await RunningProxy.run(configure: { $0.idleUpstreamLimitCount = 1 }) { proxy in
            let limit = proxy.server.loops.count
            var clients: [RawClient] = []
            for _ in 0..<(3 * limit) {
                let client = try await proxy.connect()
                let login = "Authorization: NTLM TlRMTVNTUAAB\r\n"
                try await client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\n\(login)\r\n")
                #expect(try await client.response().code == 401)
                clients.append(client)
            }
            let left = try await origin.connections("all but one of each loop to end") {
                $0.count { !$0.isClientDone && !$0.isClosed } <= limit
            }
            #expect(left.contains { !$0.isClientDone })
            // Those who leave make room for others.
            for client in clients { try await client.close() }
            _ = try await origin.connections("the end of all") { $0.allSatisfy(\.isClientDone) }
            let client = try await proxy.connect()
            try await client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(try await client.response().code == 401)
            let before = origin.connections.count
            try await client.send("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(try await client.response().code == 401 && origin.connections.count == before)
        }
    }
}
