import Foundation
import NIOCore
import NIOPosix
import Support
import Testing
import Traffic

@testable import Proxy

/// The proxy never connects to itself, whatever it is called, by whatever way one comes in.
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

    /// Whether nobody was connected to: refused as ourselves, or a name that says nothing here, or an address that leads nowhere.
    private static func isKeptOut(_ failure: String, _ alias: String) -> Bool {
        let mayBeUnknown = ["localhost.", "127.0.0.1.", "ip6-localhost", "localhost.localdomain"].contains(alias)
        let leadsNowhere = alias == "[::127.0.0.1]" || alias == "[::7f00:1]"
        return failure == "proxy connect loop" || (mayBeUnknown && failure.hasPrefix("upstream dns"))
            || (leadsNowhere && failure.hasPrefix("upstream connect"))
    }

    @Test("No alias of our own listener gets through, by any way in, nor by replay; each try is recorded")
    func aliases() async throws {
        let aliases = try Self.aliases()
        #expect(aliases.count >= 40)
        // The reverse addresses have to name the port of the explicit one, so a free one is taken and let go.
        let free = try await LoopbackOrigin.start { _ in nil }
        try await free.stop()
        let upstreams = try aliases.map { try #require(Endpoint(authority: $0, defaultPort: free.port)) }
        try await RunningProxy.run(configure: {
            $0.listenModes =
                [
                    ListenMode(.explicit, host: "0.0.0.0", port: free.port),
                    ListenMode(.socks5(nil), host: "::", port: 0),
                ]
                + upstreams.map { ListenMode(.reverse(.http, $0), host: "127.0.0.1", port: 0) }
            $0.connectTimeout = .seconds(1)
        }) { proxy in
            var (clients, count) = (0, 0)
            func expectKeptOut(_ tries: Int, _ alias: String, _ way: String) async throws {
                clients += 1
                count += tries
                for record in try await proxy.sink.ended(count).suffix(tries) {
                    #expect(Self.isKeptOut(record.failure, alias), "\(way) to \(alias): \(record.failure)")
                }
            }
            for (position, alias) in aliases.enumerated() {
                for port in proxy.ports.prefix(2) {
                    let authority = "\(alias):\(port)"
                    let client = try await proxy.connect()
                    for request in ["GET http://\(authority)/", "CONNECT \(authority)", "GET https://\(authority)/"] {
                        try await client.send("\(request) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                        let answer = try await client.response()
                        #expect(answer.code >= 500, "\(request)")
                    }
                    try await expectKeptOut(3, alias, "explicit")

                    let host = alias.trimmingCharacters(in: ["[", "]"])
                    let socks = try await SOCKSClient.connect(proxy.ports[1], host: host, port: port)
                    #expect(socks.reply != 0, "\(alias)")
                    try await expectKeptOut(1, alias, "socks5")
                }
                let reverse = try await RawClient.connect(port: proxy.ports[position + 2])
                try await reverse.send("GET / HTTP/1.1\r\nHost: \(alias)\r\n\r\n")
                #expect(try await reverse.response().code >= 500, "\(alias)")
                try await expectKeptOut(1, alias, "reverse")

                let upstream = upstreams[position]
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
                try await expectKeptOut(1, alias, "replay")
            }
            let tokens = Set(proxy.sink.soFar.ended.map(\.exchange.client.token))
            #expect(tokens.count == clients, "nobody but our clients came in")
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
