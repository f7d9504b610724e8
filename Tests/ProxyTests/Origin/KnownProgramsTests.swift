import Foundation
import NIOCore
import NIOPosix
import Support
import Testing
import Traffic

@testable import Proxy

#if os(Linux)
@Suite("Programs that connected before", .timeLimit(.minutes(15)))
struct KnownProgramsTests {
    private static let curl = LocalProcess(id: 20, name: "curl", executable: nil)

    /// Learns that a program has a connection.
    private static func learn(_ known: KnownPrograms, _ id: Int32, _ number: Int32) throws -> KnownPrograms.Claim {
        let process = LocalProcess(id: id, name: "curl", executable: nil)
        return try #require(known.learn(SocketOwner(process: process, number: number)))
    }

    /// The claim of a connection whose socket is seen at once.
    private static func claim(_ known: KnownPrograms, _ inode: UInt64) throws -> KnownPrograms.Claim {
        guard case .held(curl, let claim) = known.look(forSocket: inode) else {
            return try #require(nil, "socket \(inode) is not seen")
        }
        return claim
    }

    @Test("The next socket is seen past the last, where one was closed, and where one is about to be")
    func next() throws {
        let stage = try ProcessStage()
        try stage.add(20, "curl", ["/dev/null", "/dev/null", "/dev/null", "socket:[42]"])
        let known = KnownPrograms(root: stage.root)
        #expect(known.look(forSocket: 42) == .unknown)
        let first = try Self.learn(known, 20, 3)
        try stage.open("socket:[43]", as: 4, of: 20)
        try stage.open("socket:[44]", as: 6, of: 20)
        let second = try Self.claim(known, 43)
        let third = try Self.claim(known, 44)
        // Both ends of the second are closed, and its number taken anew.
        known.release(second, isOver: true)
        try stage.open("socket:[45]", as: 4, of: 20)
        let fourth = try Self.claim(known, 45)
        // Nothing more goes to the first, and its client has been quicker than we see.
        known.release(first, isOver: false)
        try stage.open("socket:[46]", as: 3, of: 20)
        let fifth = try Self.claim(known, 46)
        // Of the third nothing was seen at all.
        try stage.open("socket:[47]", as: 6, of: 20)
        let sixth = try Self.claim(known, 47)
        #expect(Set([first, second, third, fourth, fifth, sixth].map { "\($0)" }).count == 6)
        // The end of a connection whose number another one has by now is none of that one's.
        known.release(third, isOver: true)
        try stage.open("socket:[48]", as: 6, of: 20)
        _ = try Self.claim(known, 48)
        // Far from where the others were it has to be searched for.
        try stage.open("socket:[49]", as: 40, of: 20)
        #expect(known.look(forSocket: 49) == .unknown)
        _ = try Self.learn(known, 20, 40)
        try stage.open("socket:[50]", as: 41, of: 20)
        _ = try Self.claim(known, 50)
    }

    @Test("However many descriptors a program has had, few are looked at for one connection")
    func bound() throws {
        let stage = try ProcessStage()
        try stage.add(20, "curl", [])
        let known = KnownPrograms(root: stage.root)
        for number in 3..<300 {
            try stage.open("socket:[\(1_000 + number)]", as: number, of: 20)
            _ = try Self.learn(known, 20, Int32(number))
        }
        try stage.open("socket:[7]", as: 280, of: 20)
        #expect(known.look(forSocket: 7) == .unknown)
        try stage.open("socket:[8]", as: 300, of: 20)
        _ = try Self.claim(known, 8)
    }

    @Test("A program that has become another one, or whose number another one has, is not known by it")
    func others() throws {
        let stage = try ProcessStage()
        try stage.add(20, "curl", ["socket:[42]"])
        let known = KnownPrograms(root: stage.root)
        // It was found as something else, a moment before it became this.
        let bash = LocalProcess(id: 20, name: "bash", executable: nil)
        #expect(known.learn(SocketOwner(process: bash, number: 0)) == nil)
        _ = try Self.learn(known, 20, 0)
        try stage.open("socket:[43]", as: 1, of: 20)
        // As exec(3) does: the same file says something else.
        let comm = try #require(FileHandle(forWritingAtPath: stage.directory.file("20/comm")))
        try comm.write(contentsOf: Data("wget\n".utf8))
        try comm.close()
        #expect(known.look(forSocket: 43) == .unknown)
        // Searched for anew, it is known by its new name.
        let wget = LocalProcess(id: 20, name: "wget", executable: nil)
        _ = known.learn(SocketOwner(process: wget, number: 1))
        try stage.open("socket:[44]", as: 2, of: 20)
        guard case .held(wget, _) = known.look(forSocket: 44) else {
            Issue.record("the new program is not known")
            return
        }
        // Another directory of the same name is that of another program.
        try FileManager.default.removeItem(atPath: stage.directory.file("20"))
        try stage.add(20, "nc", ["/dev/null", "/dev/null", "/dev/null", "socket:[45]"])
        #expect(known.look(forSocket: 45) == .unknown)
        #expect(
            known.learn(SocketOwner(process: LocalProcess(id: 99, name: "gone", executable: nil), number: 1)) == nil
        )
    }

    @Test("The eight that connected last are known")
    func limit() throws {
        let stage = try ProcessStage()
        let known = KnownPrograms(root: stage.root)
        for id in 20..<28 {
            try stage.add(id, "curl", ["socket:[\(id)0]"])
            _ = try Self.learn(known, Int32(id), 0)
        }
        // The first of them again, and then a ninth.
        try stage.open("socket:[1]", as: 1, of: 20)
        _ = try Self.claim(known, 1)
        try stage.add(28, "curl", ["socket:[280]"])
        _ = try Self.learn(known, 28, 0)
        #expect(known.ids == [28, 20, 27, 26, 25, 24, 23, 22])
        for (id, isKnown) in [(20, true), (21, false), (22, true), (28, true)] {
            try stage.open("socket:[\(id)2]", as: 2, of: id)
            let sighting = known.look(forSocket: UInt64(id * 10 + 2))
            #expect((sighting != .unknown) == isKnown, "\(id)")
        }
    }

    @Test("The kernel says whose a connection of this very program is, and that nobody holds one that is closed")
    func kernel() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        let address = try #require(listener.localAddress)
        func connect() async throws -> (client: any Channel, pair: SocketPair) {
            let client = try await ClientBootstrap(group: group).connect(to: address).get()
            return (client, try #require(SocketPair(client: client.localAddress, listener: client.remoteAddress)))
        }
        let known = KnownPrograms()
        let (first, pair) = try await connect()
        #expect(known.look(for: pair) == .unknown)
        let owner = try #require(ProcessTable().owners(of: [pair], recent: [])[pair])
        #expect(owner.process.id == getpid())
        _ = try #require(known.learn(owner))
        guard case .held(owner.process, _) = known.look(for: pair) else {
            Issue.record("the program is not known")
            return
        }
        try await first.close()
        #expect(known.look(for: pair) == .unheld)
        try await listener.close()
    }
}
#endif
