import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import NIOSSL
import Support
import Testing

import FacilityAPI

@Suite(.timeLimit(.minutes(15))) struct LiveServerTests {
    /// Runs a server on a free port while the work lasts, then cancels it and waits for its end.
    private func serving(
        _ configuration: FacilityAPIConfiguration,
        _ work: @escaping @Sendable (FacilityAPIServer, Int) async throws -> Void
    ) async throws {
        let server = try FacilityAPIServer(configuration: configuration, logger: Logger(label: "test"))
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run { found.yield($0) } }
            group.addTask {
                for await port in ports {
                    try await work(server, port)
                    return
                }
            }
            try await group.next()
            group.cancelAll()
            while let ended = await group.nextResult() {
                if case .failure(let error) = ended, !(error is CancellationError) { throw error }
            }
        }
    }

    private static let clock: @Sendable () -> Date = { Stand.noon }

    /// A client configuration that verifies, and trusts a certificate besides or nothing but the system.
    private func client(trusting pem: String?, name: String?) throws -> TestClient.Configuration {
        let standard = TestClient.Configuration(tlsConfiguration: .makeClientConfiguration(), serverName: name)
        guard let pem, var tls = standard.tlsConfiguration else { return standard }
        tls.trustRoots = .certificates([try .init(bytes: Array(pem.utf8), format: .pem)])
        return TestClient.Configuration(tlsConfiguration: tls, serverName: name)
    }

    @Test("HTTPS works for a client that trusts the minted certificate and checks the name")
    func tls() async throws {
        try await serving(FacilityAPIConfiguration(tls: true, clock: Self.clock)) { server, port in
            let pem = try #require(server.certificatePEM)
            try await TestClient.withClient(
                host: "127.0.0.1",
                port: port,
                configuration: try client(trusting: pem, name: "localhost")
            ) { client in
                let reply = try await client.execute(
                    TestClient.Request("/api/", method: .get, authority: "localhost:\(port)")
                )
                #expect(reply.status == .ok)
                let body = String(buffer: reply.body ?? ByteBuffer())
                #expect(body.hasPrefix(#"{"alerts":"https://localhost:\#(port)/api/alerts/""#))
            }
        }
    }

    @Test("HTTPS is refused by a client that does not trust the certificate")
    func untrusted() async throws {
        try await serving(FacilityAPIConfiguration(tls: true)) { _, port in
            await #expect(throws: (any Error).self) {
                try await TestClient.withClient(
                    host: "127.0.0.1",
                    port: port,
                    configuration: try client(trusting: nil, name: "localhost")
                ) { try await $0.get("/api/") }
            }
        }
    }

    @Test("The Date field follows the injected clock; HEAD promises the length of GET")
    func date() async throws {
        try await serving(FacilityAPIConfiguration(clock: Self.clock)) { _, port in
            try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
                let get = try await client.get("/api/facilities/")
                #expect(get.headers[.date] == "Tue, 15 Sep 2026 16:00:00 GMT")
                let head = try await client.head("/api/facilities/")
                #expect(head.headers[.contentLength] == String(get.body?.readableBytes ?? -1))
                #expect((head.body?.readableBytes ?? 0) == 0)
            }
        }
    }

    @Test("A truncated body promises its length, sends half and ends the connection")
    func truncated() async throws {
        try await serving(FacilityAPIConfiguration(clock: Self.clock)) { _, port in
            let raw = RawExchange(port: port)
            let whole = try await raw.send("GET /api/categories/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let half = try await raw.send("GET /api/categories/ HTTP/1.1\r\nHost: x\r\nX-Fault: truncate\r\n\r\n")
            let (wholeBody, halfBody) = (whole.body, half.body)
            #expect(half.head.contains("ength: \(wholeBody.utf8.count)\r\n"))
            #expect(halfBody.utf8.count == wholeBody.utf8.count / 2)
            #expect(wholeBody.hasPrefix(halfBody))
        }
    }

    @Test(
        "Weird input gets an answer or a closed connection, and the server lives on",
        arguments: [
            "GET * HTTP/1.1\r\nHost: x\r\n", "OPTIONS * HTTP/1.1\r\nHost: x\r\n",
            "GET http://x HTTP/1.1\r\nHost: x\r\n",
            "GET http:// HTTP/1.1\r\nHost: x\r\n", "GET http://x:/ HTTP/1.1\r\nHost: x\r\n",
            "GET ?a HTTP/1.1\r\nHost: x\r\n", "GET /api/%zz%/ HTTP/1.1\r\nHost: x\r\n",
            "GET /api/facilities/?%&=&&==&search=%ff HTTP/1.1\r\nHost: x\r\n",
            "GET /api/\u{e9}/ HTTP/1.1\r\nHost: x\r\n",
            "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n", "FROB / HTTP/1.1\r\nHost: x\r\n", "GET / HTTP/1.0\r\n",
            "POST /api/schedules/ HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n",
            "GET /api/ HTTP/1.1\r\nHost: x\r\nX-Fault: ,\r\n", "GET / HTTP/9.9\r\nHost: x\r\n", "\u{1}\u{2}\u{3}\r\n",
            "GET /entrypoint.php?query&ids=((((&weekdays=,,&geo_radius=nan&geocenter_lat=inf&geocenter_lng=1 HTTP/1.1\r\n"
                + "Host: x\r\n",
            "GET /database///////records/query HTTP/1.1\r\nHost: x\r\n",
            "GET /api/3/action/ HTTP/1.1\r\nHost: x\r\n",
            "GET /api/3/action/package_search?fq=::%22:%22&sort=,, HTTP/1.1\r\nHost: x\r\n",
        ]
    )
    func weird(head: String) async throws {
        try await serving(FacilityAPIConfiguration(clock: Self.clock)) { _, port in
            let raw = RawExchange(port: port)
            _ = try await raw.send(head + "Connection: close\r\n\r\n")
            let reply = try await raw.send("GET /api/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(reply.head.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test(
        "A request for another protocol is answered in this one, and nothing behind it is taken",
        arguments: ["GET /api/ HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: h2c\r\n", "CONNECT x:1 HTTP/1.1\r\n"]
    )
    func otherProtocol(head: String) async throws {
        try await serving(FacilityAPIConfiguration(clock: Self.clock)) { _, port in
            let client = try await RawClient.connect(port: port)
            try await client.send(head + "Host: x\r\n\r\n")
            let answer = String(decoding: try await client.readToEnd(), as: UTF8.self).lowercased()
            #expect(answer.hasPrefix("http/1.1 ") && answer.contains("\r\nconnection: close\r\n"), "\(answer)")
            #expect(client.soFar.error == nil)
            // More than the system holds of a connection.
            let flood = [UInt8](repeating: 120, count: 64 << 20)
            await #expect(throws: (any Error).self) { try await client.send(flood) }
        }
    }

    @Test(
        "A TLS client that asked for the end, read the answer and keeps its socket does not keep the server from ending"
    )
    func keptAfterEnd() async throws {
        let kept = Watched<RawClient?>(nil)
        try await serving(FacilityAPIConfiguration(tls: true, clock: Self.clock)) { _, port in
            let client = try await RawClient.connect(port: port)
            try await client.startTLS(name: "localhost", trusting: nil)
            try await client.send("GET /api/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            let answer = try await client.read(through: "}")
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            kept.update { $0 = client }
        }
        #expect(kept.value != nil, "the client has its socket to the end")
    }

    @Test("A taken port is one clear line; a client that keeps its connection does not keep the server from ending")
    func portInUse() async throws {
        try await serving(FacilityAPIConfiguration()) { _, port in
            let second = try FacilityAPIServer(
                configuration: FacilityAPIConfiguration(port: port),
                logger: Logger(label: "test")
            )
            let error = await #expect(throws: FacilityAPIError.self) { try await second.run { _ in } }
            #expect(error?.description == "cannot listen on 127.0.0.1:\(port): the port is already in use")
            let client = TestClient(host: "127.0.0.1", port: port)
            client.connect()
            _ = try await client.get("/api/")
        }
    }
}
