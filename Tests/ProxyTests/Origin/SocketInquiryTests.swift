import Foundation
import NIOCore
import NIOPosix
import Support
import Testing

@testable import Proxy

#if os(Linux)
@Suite("The kernel's word on one socket")
struct SocketInquiryTests {
    private static func ask(_ pair: SocketPair) -> SocketTable.Entry? {
        guard let inquiry = SocketInquiry() else { return nil }
        return inquiry.entry(pair)
    }

    @Test("Both ends of a connection are told apart, in IPv4 and in IPv6", arguments: ["127.0.0.1", "::1"])
    func asks(host: String) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await ServerBootstrap(group: group).bind(host: host, port: 0).get()
        let client = try await ClientBootstrap(group: group).connect(to: try #require(listener.localAddress)).get()
        let pair = try #require(SocketPair(client: client.localAddress, listener: client.remoteAddress))
        let other = try #require(SocketPair(client: client.remoteAddress, listener: client.localAddress))
        let found = Self.ask(pair)
        let entry = try #require(found)
        #expect(entry.user == geteuid() && entry.inode > 0)
        #expect(Self.ask(other)?.inode != entry.inode)
        try await client.close()
        #expect(Self.ask(pair) == nil)
        try await listener.close()
    }

    @Test("An answer that is cut, or an error, says nothing")
    func odd() {
        for count in [0, 3, 16, 87] {
            #expect(SocketInquiry.entry([UInt8](repeating: 20, count: count)[...]) == nil)
        }
        var error = [UInt8](repeating: 0, count: 100)
        error[4] = 2
        #expect(SocketInquiry.entry(error[...]) == nil)
    }
}
#endif
