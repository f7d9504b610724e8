import Foundation
import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

#if os(Linux)
@Suite("The programs of this machine")
struct ProcessTableTests {
    /// A directory like `/proc`, with one connection and the programs of a test.
    private struct Stage {
        let directory: TemporaryDirectory
        let pair: SocketPair

        init(user: uid_t = geteuid()) throws {
            directory = try TemporaryDirectory()
            pair = try #require(
                SocketPair(
                    client: SocketAddress(ipAddress: "127.0.0.1", port: 0xC350),
                    listener: SocketAddress(ipAddress: "127.0.0.1", port: 9090)
                )
            )
            try FileManager.default.createDirectory(atPath: directory.file("net"), withIntermediateDirectories: true)
            try connect(with: 42, of: user)
        }

        /// Makes a socket the client's end of the connection.
        func connect(with inode: Int, of user: uid_t = geteuid()) throws {
            try directory.write(
                "  1: 0100007F:C350 0100007F:2382 01 0:0 02:0 0 \(user) 0 \(inode) 2 0\n",
                to: "net/tcp"
            )
        }

        /// A program with some descriptors.
        func add(_ id: Int, _ comm: String?, exe: String? = nil, _ descriptors: [String]) throws {
            let files = FileManager.default
            try files.createDirectory(atPath: directory.file("\(id)/fd"), withIntermediateDirectories: true)
            if let comm { try directory.write("\(comm)\n", to: "\(id)/comm") }
            if let exe {
                try files.createSymbolicLink(atPath: directory.file("\(id)/exe"), withDestinationPath: exe)
            }
            for (number, target) in descriptors.enumerated() {
                try files.createSymbolicLink(
                    atPath: directory.file("\(id)/fd/\(number)"),
                    withDestinationPath: target
                )
            }
        }

        func owner(recent: [Int32] = []) -> LocalProcess? {
            var recent = recent.map { SocketHolder(id: $0) }
            return ProcessTable(root: directory.path).owners(of: [pair], recent: &recent)[pair]
        }
    }

    @Test(
        "Whoever holds the client's socket is the one, and of several the last that was started, or that connected last"
    )
    func owner() throws {
        let stage = try Stage()
        try stage.add(10, "init", ["/dev/null", "socket:[41]", "pipe:[42]", "socket:[421]"])
        #expect(stage.owner() == nil)
        try stage.add(20, "curl", exe: "/usr/bin/curl", ["/dev/null", "socket:[42]"])
        #expect(stage.owner() == LocalProcess(id: 20, name: "curl", executable: "curl"))
        try stage.add(30, "worker", ["socket:[42]"])
        #expect(stage.owner()?.id == 30)
        #expect(stage.owner(recent: [10, 20])?.id == 20)
        #expect(stage.owner(recent: [999])?.id == 30)
        // The numbers have begun anew: the last that was given out is 25.
        try stage.directory.write("0.10 0.20 0.30 1/3 25\n", to: "loadavg")
        #expect(stage.owner()?.id == 20)
    }

    @Test("A descriptor that had a client's socket is looked at first, and does not hide one that has it now")
    func descriptors() throws {
        let stage = try Stage()
        let table = ProcessTable(root: stage.directory.path)
        try stage.add(20, "curl", ["/dev/null", "socket:[41]", "socket:[42]"])
        var recent: [SocketHolder] = []
        #expect(table.owners(of: [stage.pair], recent: &recent)[stage.pair]?.id == 20)
        #expect(recent.map(\.id) == [20])
        #expect(recent.map(\.descriptors) == [[2]])
        // The socket is elsewhere now, and another one where it was.
        for (number, target) in [(1, "socket:[42]"), (2, "socket:[43]")] {
            let link = stage.directory.file("20/fd/\(number)")
            try FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        }
        #expect(table.owners(of: [stage.pair], recent: &recent)[stage.pair]?.id == 20)
        #expect(recent.map(\.descriptors) == [[2, 1]])
        // What was looked at last is looked at last the next time.
        try stage.connect(with: 43)
        #expect(table.owners(of: [stage.pair], recent: &recent)[stage.pair]?.id == 20)
        #expect(recent.map(\.descriptors) == [[1, 2]])
        // Somebody else's, who comes first from now on.
        try stage.add(10, "wget", ["socket:[44]"])
        try stage.connect(with: 44)
        #expect(table.owners(of: [stage.pair], recent: &recent)[stage.pair]?.id == 10)
        #expect(recent.map(\.id) == [10, 20])
        for id in 30..<40 {
            try stage.connect(with: id * 10)
            try stage.add(id, "a\(id)", ["socket:[\(id)0]"])
            #expect(table.owners(of: [stage.pair], recent: &recent)[stage.pair]?.id == Int32(id))
        }
        #expect(recent.map(\.id) == [39, 38, 37, 36, 35, 34, 33, 32])
    }

    @Test("A program that ended while it was looked at is none")
    func ended() throws {
        let stage = try Stage()
        try stage.add(20, nil, ["socket:[42]"])
        #expect(stage.owner() == nil)
        var recent = [SocketHolder(id: 1)]
        let table = ProcessTable(root: stage.directory.file("nowhere"))
        #expect(table.owners(of: [stage.pair], recent: &recent).isEmpty)
    }

    @Test(
        "The name is the kernel's, unless it was cut off or says nothing",
        arguments: [
            ("curl", "/usr/bin/curl", "curl"), ("http", "/usr/bin/python3.11", "http"),
            ("chrome_crashpad", "/opt/chrome_crashpad_handler", "chrome_crashpad_handler"),
            ("fifteen-letters", "/bin/sh", "fifteen-letters"), ("MainThread", "/usr/bin/node", "node"),
            ("MainThread", nil, "MainThread"), ("old", "/usr/bin/new (deleted)", "old"),
        ] as [(String, String?, String)]
    )
    func name(comm: String, exe: String?, name: String) throws {
        let stage = try Stage()
        try stage.add(20, comm, exe: exe, ["socket:[42]"])
        let owner = try #require(stage.owner())
        #expect(owner.name == name)
        #expect(owner.executable?.contains("deleted") != true)
    }
}
#endif
