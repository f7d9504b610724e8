import Foundation
import NIOCore
import NIOPosix
import Support
import Testing

@testable import Proxy

#if os(Linux)
@Suite("The kernel's word on one socket", .timeLimit(.minutes(15)))
struct SocketInquiryTests {
    private static func ask(_ pair: SocketPair) -> SocketInquiry.Answer { inquiry?.answer(pair) ?? .unanswered }

    private static let inquiry = SocketInquiry()

    private static func read(_ answer: [UInt8]) -> SocketInquiry.Answer {
        answer.withUnsafeBytes { SocketInquiry.answer($0) }
    }

    @Test("Both ends of a connection are told apart, in IPv4 and in IPv6", arguments: ["127.0.0.1", "::1"])
    func asks(host: String) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await ServerBootstrap(group: group).bind(host: host, port: 0).get()
        let client = try await ClientBootstrap(group: group).connect(to: try #require(listener.localAddress)).get()
        let pair = try #require(SocketPair(client: client.localAddress, listener: client.remoteAddress))
        let other = try #require(SocketPair(client: client.remoteAddress, listener: client.localAddress))
        guard case .held(let entry) = Self.ask(pair) else {
            Issue.record("the kernel does not know the connection")
            return
        }
        #expect(entry.user == geteuid() && entry.inode > 0)
        #expect(Self.ask(other) != .held(entry))
        try await client.close()
        #expect(Self.ask(pair) == .unheld)
        // A kernel that has never known one may not be able to.
        #expect(SocketInquiry()?.answer(pair) == .unanswered)
        try await listener.close()
    }

    @Test("A client that speaks IPv4 through a socket of IPv6 is found")
    func mapped() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        let client = try await ClientBootstrap(group: group).connect(host: "::ffff:127.0.0.1", port: port).get()
        let plain = try SocketAddress(ipAddress: "127.0.0.1", port: try #require(client.localAddress?.port))
        let pair = try #require(SocketPair(client: plain, listener: listener.localAddress))
        guard case .held = Self.ask(pair) else {
            Issue.record("the kernel does not know the connection")
            return
        }
        try await client.close()
        try await listener.close()
    }

    @Test("An answer that is cut, or an error, says nothing; that there is no such connection is an answer")
    func odd() {
        for count in [0, 3, 16, 87] {
            #expect(Self.read([UInt8](repeating: 20, count: count)) == .unanswered)
        }
        var error = [UInt8](repeating: 0, count: 100)
        error[4] = 2
        #expect(Self.read(error) == .unanswered)
        withUnsafeBytes(of: Int32(-ENOENT)) { error.replaceSubrange(16..<20, with: $0) }
        #expect(Self.read(error) == .unheld)
    }
}
#endif
