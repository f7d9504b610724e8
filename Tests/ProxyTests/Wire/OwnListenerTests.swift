import Foundation
import NIOCore
import NIOPosix
import Support
import Testing
import Traffic

@testable import Proxy

/// The proxy never connects to itself, whatever it is called, by whatever way one comes in.
@Suite(.timeLimit(.minutes(15)))
struct OwnListenerTests {
    /// Forty names and addresses of this machine, and those of its interfaces.
    private static func aliases() throws -> [String] {
        var names = [
            "localhost", "LOCALHOST", "LocalHost", "localhost.", "127.0.0.1", "127.1.2.3", "127.255.255.254", "127.0.1",
            "127.1", "127.0.0.01", "2130706433", "017700000001", "0x7f000001", "0x7f.1", "0X7F.0.0.1", "0177.0.0.1",
            "127.0.0x0.1", "0.0.0.0", "0", "0.0", "0x0", "00.0.0.0", "[::1]", "[0::1]", "[::0:1]", "[0:0:0:0:0:0:0:1]",
            "[::0001]", "[::]", "[0::0]", "[0:0:0:0:0:0:0:0]", "[::ffff:127.0.0.1]", "[::FFFF:127.0.0.1]",
            "[::ffff:7f00:1]", "[::FFFF:7f00:0001]", "[0:0:0:0:0:ffff:127.9.9.9]", "[::ffff:0.0.0.0]", "[::ffff:0:0]",
            "[::127.0.0.1]", "[::7f00:1]", "127.0.0.1.", "ip6-localhost", "localhost.localdomain",
        ]
        for device in try System.enumerateDevices() {
            guard let address = device.address?.ipAddress else { continue }
            names.append(Endpoint.bracketed(address))
        }
        names.append(ProcessInfo.processInfo.hostName)
        return names
    }

    @Test("Every alias of this machine is known for what it is once it is resolved, or resolves to nothing")
    func aliases() async throws {
        let listeners = OwnListeners()
        listeners.add(port: 9_091)
        let resolver = NameResolver()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let aliases = try Self.aliases()
        #expect(aliases.count >= 40)
        for alias in aliases {
            let endpoint = try #require(Endpoint(authority: alias, defaultPort: 9_091))
            do {
                let addresses = try await resolver.addresses(of: endpoint, on: loop).get()
                // Addresses that were reserved for IPv4 in IPv6 once lead nowhere.
                let leadsNowhere = alias == "[::127.0.0.1]" || alias == "[::7f00:1]"
                #expect(!addresses.isEmpty)
                #expect(addresses.allSatisfy { listeners.contains($0) != leadsNowhere }, "\(alias): \(addresses)")
            } catch {
                let mayBeUnknown = ["localhost.", "127.0.0.1.", "ip6-localhost", "localhost.localdomain"]
                #expect(
                    mayBeUnknown.contains(alias) && (error as? ExchangeFailure)?.phase == .dns,
                    "\(alias): \(error)"
                )
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
            proxy.server.shared.listeners.add(port: own.port)
            for port in [own.port, proxy.port] {
                let client = try await proxy.connect()
                let authority = "\(alias):\(port)"
                for request in ["GET http://\(authority)/", "CONNECT \(authority)", "GET https://\(authority)/"] {
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

    @Test("Another listener of the same process is refused too, and other ports of this machine are not")
    func others() {
        let listeners = OwnListeners()
        listeners.add(port: 9091)
        func contains(_ host: String, _ port: Int) -> Bool {
            (try? SocketAddress(ipAddress: host, port: port)).map(listeners.contains) ?? false
        }
        #expect(
            contains("127.0.0.1", 9091) && contains("::1", 9091) && contains("::ffff:127.8.8.8", 9091)
                && contains("0.0.0.0", 9091)
        )
        #expect(!contains("127.0.0.1", 9092) && !contains("192.0.2.77", 9091) && !contains("2001:db8::1", 9091))
    }
}
