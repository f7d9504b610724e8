import Foundation
import NIOCore
import NIOPosix
import Support
import Testing

@testable import Proxy

#if os(Linux)
@Suite("The user at the client's end of a connection", .timeLimit(.minutes(15)))
struct ClientUserTests {
    @Test("Another user is told from ours and from the administrator", arguments: [0, 1, 2])
    func users(place: Int) throws {
        let user = [geteuid(), 0, geteuid() + 1][place]
        let stage = try ProcessStage(user: user)
        #expect(ClientUser(of: stage.pair, in: ProcessTable(root: stage.root)).isAnother == (place == 2))
    }

    @Test("A user who is not known, or is on another machine, is not said to be another")
    func unknown() throws {
        let stage = try ProcessStage()
        let table = ProcessTable(root: stage.directory.file("nowhere"))
        #expect(!ClientUser(of: stage.pair, in: table).isAnother && !ClientUser(of: nil, in: table).isAnother)
    }

    @Test("The kernel tells the user of a connection")
    func asks() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        let client = try await ClientBootstrap(group: group).connect(to: try #require(listener.localAddress)).get()
        let pair = try #require(SocketPair(client: client.localAddress, listener: client.remoteAddress))
        #expect(ProcessTable().user(of: pair) == geteuid())
        try await client.close()
        try await listener.close()
    }
}
#endif
