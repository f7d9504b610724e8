import NIOCore
import Support
import Testing

@testable import Proxy

/// Who may come in: networks as they are written, and what becomes of a client that is in none.
@Suite(.timeLimit(.minutes(15)))
struct ClientNetworkTests {
    @Test(
        "An address is in a network by its first bits",
        arguments: [
            ("192.168.1.0/24", "192.168.1.255", true), ("192.168.1.0/24", "192.168.2.0", false),
            ("192.168.1.77/24", "192.168.1.1", true), ("10.0.0.0/9", "10.127.255.255", true),
            ("10.0.0.0/9", "10.128.0.0", false), ("10.0.0.7", "10.0.0.7", true), ("10.0.0.7", "10.0.0.6", false),
            ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "2001:db8::1", true),
            ("::/0", "192.0.2.1", false), ("fd00::/8", "fd12:3456::1", true), ("fd00::/8", "fe80::1", false),
            ("2001:db8::/33", "2001:db8:7fff::1", true), ("2001:db8::/33", "2001:db8:8000::1", false),
            ("192.168.1.0/24", "::ffff:192.168.1.9", true), ("::ffff:10.0.0.7", "10.0.0.7", true),
        ]
    )
    func contains(_ network: String, _ address: String, _ isIn: Bool) throws {
        let read = try #require(ClientNetwork(network))
        #expect(read.contains(try SocketAddress(ipAddress: address, port: 1)) == isIn && read.description == network)
    }

    @Test(
        "What is no network is none",
        arguments: [
            "", "/", "a.test", "10.0.0.0/", "10.0.0.0/33", "10.0.0/8", "::/129", "10.0.0.0/8/8", "10.0.0.0/+8", "[::1]",
        ]
    )
    func unreadable(_ text: String) { #expect(ClientNetwork(text) == nil) }

    @Test("This machine's own clients always come in, whatever the list says")
    func loopback() async throws {
        try await RunningProxy.run(configure: {
            $0.listenModes = [ListenMode(.explicit, host: "::", port: 0)]
            $0.clientNetworks = [ClientNetwork("192.0.2.0/24")].compactMap { $0 }
        }) { proxy in
            for host in ["127.0.0.1", "::1"] {
                let client = try await RawClient.connect(port: proxy.port, host: host)
                try await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await client.response().code == 508)
            }
        }
    }

    @Test(
        "Listeners that only this machine reaches are told from others",
        arguments: [
            ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("localhost", true), ("::ffff:127.0.0.1", true),
            ("0.0.0.0", false), ("::", false), ("192.0.2.1", false), ("127.0.0.1.evil.test", false),
            ("mac.local", false),
        ]
    )
    func isLoopback(_ host: String, _ expected: Bool) {
        #expect(ListenMode(.explicit, host: host, port: 1).isLoopback == expected)
    }
}
