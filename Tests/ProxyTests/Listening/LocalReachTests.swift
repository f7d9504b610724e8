import NIOCore
import Support
import Synchronization
import Testing
import Traffic

@testable import Proxy

/// A client of another machine is no way into this one: what listens on loopback trusts whoever asks from here.
@Suite(.timeLimit(.minutes(15)))
struct LocalReachTests {
    private static let answering = RawRequest.answering { _ in
        Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
    }

    @Test(
        "Addresses of this machine and of its link are told from others",
        arguments: [
            ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("0.0.0.0", true), ("::", true),
            ("169.254.169.254", true), ("169.254.0.1", true), ("fe80::1", true), ("febf::1", true),
            ("::ffff:127.0.0.1", true), ("::ffff:169.254.169.254", true), ("::ffff:0.0.0.0", true),
            ("fd00:ec2::254", true), ("fd20:ce::254", true), ("100.100.100.200", true), ("168.63.129.16", true),
            ("::ffff:100.100.100.200", true), ("fd00:ec2::253", true), ("fd00:ec2:ffff::1", true),
            ("192.0.0.192", true),
            ("fd00:c1::a9fe:a9fe", true), ("fd00:42::42", true), ("fd00:a9fe:a9fe::1", true),
            ("fd00:100::100:200", true),
            ("fd00:ec3::254", false), ("fd00:c1::a9fe:a9ff", false), ("192.0.0.193", false), ("100.100.100.201", false),
            ("169.253.255.255", false), ("170.254.0.1", false), ("fec0::1", false), ("fe7f::1", false),
            ("192.0.2.1", false), ("2001:db8::1", false), ("::ffff:192.0.2.1", false),
        ]
    )
    func near(_ address: String, _ isNear: Bool) throws {
        #expect(OwnListeners().isNear([try SocketAddress(ipAddress: address, port: 80)]) == isNear)
    }

    @Test("The addresses of this machine's interfaces are its own")
    func interfaces() throws {
        let addresses = try System.enumerateDevices().compactMap(\.address).filter { $0.plainBytes != nil }
        #expect(!addresses.isEmpty && OwnListeners().far(addresses).isEmpty)
    }

    @Test("The interfaces are asked for once, whatever number of addresses a name has")
    func once() throws {
        let askedCount = Mutex(0)
        let listeners = OwnListeners {
            askedCount.withLock { $0 += 1 }
            return [OwnInterface(address: [192, 0, 2, 9])]
        }
        let addresses = try (1...200).map { try SocketAddress(ipAddress: "192.0.2.\($0)", port: 80) }
        let before = askedCount.withLock { $0 }
        #expect(listeners.far(addresses).count == 199)
        #expect(askedCount.withLock { $0 } == before + 1)
    }

    @Test(
        "A container of this machine is on it, as an upstream proxy may be; others of its networks are not",
        arguments: [
            ("172.17.0.2", true), ("172.17.255.9", true), ("fd12::9", true), ("192.168.1.2", true), ("127.0.0.1", true),
            ("172.18.0.2", false), ("192.168.1.3", false), ("fd13::9", false), ("2001:db8::1", false),
        ]
    )
    func containers(_ address: String, _ isHere: Bool) throws {
        let bridged: [UInt8] = [0xFD, 0x12] + [UInt8](repeating: 0, count: 13) + [1]
        let listeners = OwnListeners {
            [
                OwnInterface(address: [172, 17, 0, 1], mask: [255, 255, 0, 0], isBridge: true),
                OwnInterface(address: bridged, mask: [0xFF, 0xFF] + [UInt8](repeating: 0, count: 14), isBridge: true),
                OwnInterface(address: [192, 168, 1, 2], mask: [255, 255, 255, 0]),
            ]
        }
        #expect(listeners.isOnThisMachine([try SocketAddress(ipAddress: address, port: 80)]) == isHere)
    }

    @Test("By no name, no method and no way in; each try is told and recorded, and nothing is connected to")
    func refused() async throws {
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        try await RunningProxy.run(configure: {
            $0.nameOverrides = [NameOverride(host: "near.test", port: origin.port, addresses: ["127.0.0.1"])]
                .compactMap { $0 }
        }) { proxy in
            var count = 0
            let hosts = ["127.0.0.1", "localhost", "127.1", "[::ffff:127.0.0.1]", "0.0.0.0", "near.test"]
            try await proxy.listeningForStrangers { port in
                for authority in hosts.map({ "\($0):\(origin.port)" }) + ["169.254.169.254:80", "[fe80::1]:80"] {
                    let client = try await RawClient.connect(port: port)
                    for request in ["GET http://\(authority)/", "GET https://\(authority)/", "CONNECT \(authority)"] {
                        try await client.send("\(request) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                        let answer = try await client.response()
                        #expect(answer.code == 403 && answer.text.contains("can allow it"), "\(request)")
                        #expect(answer.head.contains("error=destination_ip_prohibited"), "\(request)")
                        count += 1
                    }
                }
            }
            try await proxy.listeningForStrangers(by: .socks5(nil)) { port in
                let socks = try await SOCKSClient.connect(port, host: "127.0.0.1", port: origin.port)
                #expect(socks.reply == 2)
                count += 1
            }
            let ended = try await proxy.sink.ended(count)
            #expect(ended.allSatisfy { $0.failure == "client connect not-allowed" && $0.exchange.upstream == nil })
            #expect(origin.connections.isEmpty)
        }
    }

    @Test("A connection that a client of this machine has left in the pool is not a stranger's either")
    func pooled() async throws {
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        let secure = try await LoopbackOrigin.start(tls: Certificates.server("good"), script: Self.answering)
        let request = "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
        try await RunningProxy.run { proxy in
            // On the one loop that the strangers are served on too.
            for _ in 0..<(2 * proxy.server.loops.count) {
                let own = try await proxy.connect()
                try await own.send(request)
                #expect(try await own.response().code == 200)
                let tls = try await proxy.secureTunnel(to: secure.port)
                try await tls.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await tls.response().code == 200)
            }
            let (plain, known) = (origin.connections.map(\.receivedBytes), secure.connections.map(\.receivedBytes))
            try await proxy.listeningForStrangers { port in
                let client = try await RawClient.connect(port: port)
                try await client.send(request)
                #expect(try await client.response().code == 403)
                try await client.send("CONNECT localhost:\(secure.port) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await client.response().code == 403)
            }
            #expect(origin.connections.map(\.receivedBytes) == plain)
            #expect(secure.connections.map(\.receivedBytes) == known)
        }
    }

    @Test("What the user has named is reached: a reverse listener's upstream, and everything where that is allowed")
    func allowed() async throws {
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        let endpoint = Endpoint(host: "127.0.0.1", port: origin.port)
        try await RunningProxy.run { proxy in
            try await proxy.listeningForStrangers(by: .reverse(.http, endpoint)) { port in
                let client = try await RawClient.connect(port: port)
                try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await client.response().code == 200)
            }
        }
        try await RunningProxy.run(configure: { $0.isThisMachineOpen = true }) { proxy in
            try await proxy.listeningForStrangers { port in
                let client = try await RawClient.connect(port: port)
                try await client.send("GET http://\(endpoint)/ HTTP/1.1\r\nHost: \(endpoint)\r\n\r\n")
                #expect(try await client.response().code == 200)
            }
        }
    }

    @Test("When this machine is closed to them again, tunnels to it end, and requests inside others are refused")
    func takenBack() async throws {
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        let silent = try await LoopbackOrigin.start { _ in nil }
        var configuration = ProxyConfiguration()
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                $0.isThisMachineOpen = true
                configuration = $0
            }
        ) { proxy in
            try await proxy.listeningForStrangers { port in
                func tunnel(to endpoint: Int) async throws -> RawClient {
                    let client = try await RawClient.connect(port: port)
                    try await client.send("CONNECT 127.0.0.1:\(endpoint) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    #expect(try await client.read(through: "\r\n\r\n").contains(" 200 "))
                    return client
                }
                let request = "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
                let read = try await tunnel(to: origin.port)
                try await read.send(request)
                #expect(try await read.response().code == 200)
                let unread = try await tunnel(to: silent.port)
                try await unread.send("\0hello\n")
                _ = try await silent.connections("what is no HTTP") { $0.first?.receivedBytes == 7 }
                configuration.isThisMachineOpen = false
                try await proxy.server.reload(configuration, authority: proxy.authority)
                try await read.send(request)
                #expect(try await read.response().code == 403)
                try await proxy.pass(.milliseconds(100))
                let rows = try await proxy.sink.ended(3)
                let row = try #require(rows.first { $0.exchange.method == "CONNECT" })
                #expect(row.exchange.warnings.contains { $0.contains("any more") }, "\(row.exchange.warnings)")
                _ = try await silent.connections("the end of it") { $0.allSatisfy(\.isClosed) }
            }
        }
    }

    @Test("An upstream proxy on this machine is no way round", arguments: [UpstreamProxy.Kind.http, .socks5])
    func throughAnother(_ kind: UpstreamProxy.Kind) async throws {
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        let way: ListenMode.Way = kind == .http ? .explicit : .socks5(nil)
        try await RunningProxy.run(configure: WaysInTests.listening(way)) { second in
            let proxy = UpstreamProxy(kind, Endpoint(host: "127.0.0.1", port: second.port))
            try await RunningProxy.run(configure: { $0.upstreamProxy = proxy }) { first in
                try await first.listeningForStrangers { port in
                    let client = try await RawClient.connect(port: port)
                    for host in ["127.0.0.1", "localhost", "127.1"] {
                        let authority = "\(host):\(origin.port)"
                        try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                        #expect(try await client.response().code == 403, "\(host)")
                    }
                }
                #expect(try await first.sink.ended(3).allSatisfy { $0.failure == "client connect not-allowed" })
            }
            #expect(origin.connections.isEmpty)
        }
    }

    @Test(
        "Nor is one that has a name: what leads back here is refused, and the address that was looked at is asked for"
    )
    func throughNamed() async throws {
        let other = try await LoopbackOrigin.start { unanswered in
            RawRequest(first: unanswered).map {
                .init(consuming: $0.bytes.count, .send(Array("HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n".utf8)))
            }
        }
        try await RunningProxy.run(configure: {
            $0.upstreamProxy = UpstreamProxy(.http, Endpoint(host: "proxy.test", port: other.port))
            $0.lookUp = { name in
                switch name {
                case "proxy.test", "near.test": [try SocketAddress(ipAddress: "127.0.0.1", port: 0)]
                case "far.test":
                    [
                        try SocketAddress(ipAddress: "::1", port: 0),
                        try SocketAddress(ipAddress: "192.0.2.7", port: 0),
                    ]
                default: throw ExchangeFailure(side: .upstream, phase: .dns, cause: .dns, message: "No.")
                }
            }
        }) { proxy in
            func code(_ client: RawClient, _ authority: String) async throws -> Int {
                try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                return try await client.response().code
            }
            try await proxy.listeningForStrangers { port in
                let client = try await RawClient.connect(port: port)
                for host in ["near.test", "unknown.test", "127.0.0.1"] {
                    #expect(try await code(client, "\(host):81") == 403, "\(host)")
                }
                #expect(other.connections.isEmpty)
                #expect(try await code(client, "far.test:81") == 502)
            }
            // A client of this machine may go everywhere, and its names are the proxy's to resolve.
            for host in ["near.test", "unknown.test"] {
                let client = try await proxy.connect()
                #expect(try await code(client, "\(host):81") == 502)
            }
            let asked = other.connections.map { $0.receivedText.prefix { $0 != "\r\n" } }
            let hosts = ["192.0.2.7", "near.test", "unknown.test"]
            #expect(asked.map(String.init) == hosts.map { "CONNECT \($0):81 HTTP/1.1" })
            let failures = try await proxy.sink.ended(6).map(\.failure)
            #expect(failures.prefix(3) == Array(repeating: "client connect not-allowed", count: 3)[...])
        }
    }
}
