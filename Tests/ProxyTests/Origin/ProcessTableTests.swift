import Foundation
import Support
import Testing
import Traffic

@testable import Proxy

#if os(Linux)
@Suite("The programs of this machine", .timeLimit(.minutes(15)))
struct ProcessTableTests {
    @Test(
        "Whoever holds the client's socket is the one, and of several the last that was started, or that connected last"
    )
    func owner() throws {
        let stage = try ProcessStage()
        try stage.add(10, "init", ["/dev/null", "socket:[41]", "pipe:[42]", "socket:[421]"])
        #expect(stage.owner() == nil)
        try stage.add(20, "curl", exe: "/usr/bin/curl", ["/dev/null", "socket:[42]"])
        #expect(stage.owner() == LocalProcess(id: 20, name: "curl", executable: "curl"))
        #expect(ProcessTable(root: stage.root).owners(of: [stage.pair], recent: [])[stage.pair]?.number == 1)
        try stage.add(30, "worker", ["socket:[42]"])
        #expect(stage.owner()?.id == 30)
        #expect(stage.owner(recent: [10, 20])?.id == 20)
        #expect(stage.owner(recent: [999])?.id == 30)
        // The numbers have begun anew: the last that was given out is 25.
        try stage.directory.write("0.10 0.20 0.30 1/3 25\n", to: "loadavg")
        #expect(stage.owner()?.id == 20)
    }

    @Test("A program that ended while it was looked at is none")
    func ended() throws {
        let stage = try ProcessStage()
        try stage.add(20, nil, ["socket:[42]"])
        #expect(stage.owner() == nil)
        let table = ProcessTable(root: stage.directory.file("nowhere"))
        #expect(table.owners(of: [stage.pair], recent: [1]).isEmpty)
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
        let stage = try ProcessStage()
        try stage.add(20, comm, exe: exe, ["socket:[42]"])
        let owner = try #require(stage.owner())
        #expect(owner.name == name)
        #expect(owner.executable?.contains("deleted") != true)
    }
}
#endif
