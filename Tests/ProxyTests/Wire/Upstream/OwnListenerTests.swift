import Foundation
import NIOCore
import NIOPosix
import Proxy
import Support
import Testing
import Traffic

/// The proxy never connects to itself, whatever it is called, by whatever way one comes in.
@Suite(.timeLimit(.minutes(15)))
struct OwnListenerTests {
    /// What this machine calls itself.
    private static let hostName = ProcessInfo.processInfo.hostName

    /// Forty names and addresses of this machine, those of its interfaces, and its own name where that leads nowhere else.
    private static func aliases() throws -> [String] {
        var names = [
            "localhost", "LOCALHOST", "LocalHost", "localhost.", "127.0.0.1", "127.1.2.3", "127.255.255.254", "127.0.1",
            "127.1", "127.0.0.01", "2130706433", "017700000001", "0x7f000001", "0x7f.1", "0X7F.0.0.1", "0177.0.0.1",
            "127.0.0x0.1", "0.0.0.0", "0", "0.0", "0x0", "00.0.0.0", "[::1]", "[0::1]", "[::0:1]", "[0:0:0:0:0:0:0:1]",
            "[::0001]", "[::]", "[0::0]", "[0:0:0:0:0:0:0:0]", "[::ffff:127.0.0.1]", "[::FFFF:127.0.0.1]",
            "[::ffff:7f00:1]", "[::FFFF:7f00:0001]", "[0:0:0:0:0:ffff:127.9.9.9]", "[::ffff:0.0.0.0]", "[::ffff:0:0]",
            "127.0.0.1.", "ip6-localhost", "localhost.localdomain",
        ]
        let addresses = try System.enumerateDevices().compactMap(\.address?.ipAddress)
        names += addresses.map(Endpoint.bracketed)
        // A name that is a router's by its address outside leads elsewhere.
        let found = try? SocketAddress.makeAddressResolvingHost(hostName, port: 0).ipAddress
        if found.map({ $0.hasPrefix("127.") || addresses.contains($0) }) ?? true { names.append(hostName) }
        return names
    }

    @Test("The proxy is led to itself by no alias of this machine, or the alias resolves to nothing")
    func aliases() async throws {
        try await RunningProxy.run { proxy in
            let aliases = try Self.aliases()
            #expect(aliases.count >= 40)
            for (number, alias) in aliases.enumerated() {
                let client = try await proxy.connect()
                let authority = "\(alias):\(proxy.port)"
                try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                let code = try await client.response().code
                let told = try #require(try await proxy.sink.ended(number + 1).last).failure
                let mayBeUnknown = [
                    "localhost.", "127.0.0.1.", "ip6-localhost", "localhost.localdomain", Self.hostName,
                ]
                let isOurs = code == 508 && told == "proxy connect loop"
                let isUnknown = mayBeUnknown.contains(alias) && told.hasPrefix("upstream dns ")
                #expect(isOurs || isUnknown, "\(alias): \(code) \(told)")
                try await client.close()
            }
        }
    }

    @Test(
        "A listener of ours is connected to by no way in, nor by replay; each try is recorded",
        arguments: ["localhost", "127.1", "0.0.0.0", "[::ffff:127.9.9.9]", "[::1]"]
    )
    func waysIn(alias: String) async throws {
        // It listens, so that it would see who comes; the port is known to the proxy as one of its own.
        let own = try await LoopbackOrigin.fine()
        let upstream = try #require(Endpoint(authority: alias, defaultPort: own.port))
        try await RunningProxy.run(
            configure: WaysInTests.listening(.explicit, .socks5(nil), .reverse(.http, upstream))
        ) { proxy in
            proxy.listeners.add(port: own.port)
            for port in [own.port, proxy.port] {
                let client = try await proxy.connect()
                let authority = "\(alias):\(port)"
                for request in ["GET http://\(authority)/", "GET https://\(authority)/", "CONNECT \(authority)"] {
                    try await client.send("\(request) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                    #expect(try await client.response().code == 508, "\(request)")
                }
            }
            let host = alias.trimmingCharacters(in: ["[", "]"])
            let socks = try await SOCKSClient.connect(proxy.ports[1], host: host, port: own.port)
            #expect(socks.reply == 2)
            let reverse = try await RawClient.connect(port: proxy.ports[2])
            try await reverse.send("GET / HTTP/1.1\r\nHost: \(alias)\r\n\r\n")
            #expect(try await reverse.response().code == 508)
            let original = Exchange(
                timeline: Timeline(started: 0),
                method: "GET",
                scheme: .http,
                host: upstream.host,
                port: upstream.port,
                target: "/",
                request: Message(head: ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n")),
                client: Peer(token: 0, address: "", tls: nil)
            )
            _ = try await proxy.server.replay(ReplayRequest(original: original, body: []))
            let ended = try await proxy.sink.ended(9)
            #expect(
                ended.count == 9 && ended.allSatisfy { $0.failure == "proxy connect loop" },
                "\(ended.map(\.failure))"
            )
            #expect(own.connections.isEmpty)
        }
    }
}
