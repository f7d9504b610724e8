import NIOCore
import Testing

@testable import Proxy

@Suite("The kernel's tables of sockets", .timeLimit(.minutes(15)))
struct SocketTableTests {
    /// Lines as Linux 6 writes them.
    private static let short = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:2382 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 41 1 0000000000000000 100 0 0 10 0
           1: 0100007F:C350 0100007F:2382 01 00000000:00000000 02:000004E0 00000000  1000        0 42 2 0000000000000000 20 4 30 10 -1
           2: 0100007F:2382 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 43 1 0000000000000000 20 4 30 10 -1
           3: 0100007F:C351 0100007F:2382 06 00000000:00000000 03:00000E4A 00000000     0        0 0 3 0000000000000000
        1000: 0502000A:C352 0502000A:2382 01 00000000:00000000 02:000004E0 00000000  1001        0 44 2 0000000000000000 20 4 30 10 -1

        """
    private static let long = """
          sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0000000000000000FFFF00000100007F:C353 0000000000000000FFFF00000100007F:2382 01 00000000:00000000 02:0 00000000  1002        0 45 2 0
           1: 00000000000000000000000001000000:C354 00000000000000000000000001000000:2382 01 00000000:00000000 02:0 00000000  1003        0 46 2 0

        """

    @Test(
        "The client's end of a connection is found by both its addresses; one that closed is not",
        arguments: [
            ("127.0.0.1", 0xC350, "127.0.0.1", 42, 1000, false), ("10.0.2.5", 0xC352, "10.0.2.5", 44, 1001, false),
            ("127.0.0.1", 0xC351, "127.0.0.1", nil, nil, false), ("127.0.0.1", 0x2382, "127.0.0.1", nil, nil, false),
            ("127.0.0.1", 0xC353, "127.0.0.1", 45, 1002, true), ("::1", 0xC354, "::1", 46, 1003, true),
            ("::ffff:127.0.0.1", 0xC353, "::ffff:127.0.0.1", 45, 1002, true),
            ("::ffff:127.0.0.1", 0xC350, "127.0.0.1", 42, 1000, false), ("::1", 0xC354, "::1", nil, nil, false),
        ] as [(String, Int, String, UInt64?, UInt32?, Bool)]
    )
    func finds(client: String, port: Int, listener: String, inode: UInt64?, user: UInt32?, isLong: Bool) throws {
        let pair = try #require(
            SocketPair(
                client: SocketAddress(ipAddress: client, port: port),
                listener: SocketAddress(ipAddress: listener, port: 9090)
            )
        )
        let table = SocketTable(bytes: Array((isLong ? Self.long : Self.short).utf8)[...], isLong: isLong)
        let entry = table.entries([pair])[pair]
        #expect(entry?.inode == inode && entry?.user == user)
    }

    @Test(
        "Text that is no table has no sockets",
        arguments: ["", "\n\n", ": ", "0: 0100007F:C350 0100007F:2382 01", "x"]
    )
    func odd(text: String) throws {
        let pair = try #require(
            SocketPair(
                client: SocketAddress(ipAddress: "127.0.0.1", port: 0xC350),
                listener: SocketAddress(ipAddress: "127.0.0.1", port: 9090)
            )
        )
        for isLong in [true, false] {
            #expect(SocketTable(bytes: Array(text.utf8)[...], isLong: isLong).entries([pair]).isEmpty)
        }
    }

    @Test(
        "A client is on this machine when it comes from loopback, or from the address that it reached",
        arguments: [
            ("127.0.0.1", "127.0.0.1", true), ("127.8.9.1", "127.0.0.1", true), ("::1", "::1", true),
            ("192.0.2.7", "192.0.2.7", true), ("::ffff:192.0.2.7", "192.0.2.7", true),
            ("192.0.2.8", "192.0.2.7", false),
            ("2001:db8::1", "2001:db8::2", false), ("2001:db8::1", "2001:db8::1", true),
        ]
    )
    func isHere(client: String, listener: String, isHere: Bool) throws {
        let pair = SocketPair(
            client: try SocketAddress(ipAddress: client, port: 50_000),
            listener: try SocketAddress(ipAddress: listener, port: 9090)
        )
        #expect((pair != nil) == isHere)
        #expect(SocketPair(client: try SocketAddress(unixDomainSocketPath: "/tmp/a"), listener: nil) == nil)
    }
}
