import Foundation
import Store
import Support
import Testing

@testable import ProgramTests
@testable import inspect

@Suite("The file that says which process writes a store", .timeLimit(.minutes(15)))
struct InstanceFileTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("captures.db")
    }

    /// What a process says of itself; its page is a port that nobody answers at.
    private func file(pid: Int32 = getpid(), token: String = "secret") -> InstanceFile {
        InstanceFile(
            pid: pid,
            proxy: "127.0.0.1:1",
            listeners: [.init(mode: "explicit", address: "127.0.0.1:1")],
            page: "http://127.0.0.1:1",
            token: token,
            storePath: path
        )
    }

    @Test("Written anew it is never gone and never in pieces, for whoever reads it meanwhile")
    func atomic() async throws {
        let store = try TrafficStore(path: path, access: .writing)
        try file().write()
        let isDone = Watched(false)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { isDone.update { $0 = true } }
                for number in 0..<300 {
                    try file(token: String(repeating: "\(number % 10)", count: 40_000)).write()
                }
            }
            group.addTask {
                while !isDone.value {
                    #expect(FileManager.default.contents(atPath: path + ".instance")?.last == UInt8(ascii: "}"))
                }
            }
            try await group.waitForAll()
        }
        let mode = try FileManager.default.attributesOfItem(atPath: path + ".instance")[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!left.contains { $0.hasSuffix(".partial") }, "\(left)")
        try store.close()
    }

    @Test("It takes the place of a link that somebody left there, and leaves what that leads to alone")
    func link() throws {
        let other = try directory.write("theirs", to: "other")
        try FileManager.default.createSymbolicLink(atPath: path + ".instance", withDestinationPath: other)
        try file().write()
        #expect(try directory.read("other") == Array("theirs".utf8))
        #expect(try directory.read("captures.db.instance").count > 6)
    }

    @Test("It is the same file by every name of the store")
    func names() throws {
        let store = try TrafficStore(path: path, access: .writing)
        let link = directory.file("link.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try file().write()
        #expect(try InstanceFile.read(for: link)?.pid == getpid())
        InstanceFile.remove(for: link)
        #expect(try InstanceFile.read(for: path) == nil)
        try store.close()
    }

    @Test("A process that lives and does not write the store is nobody's proxy, and no command asks it anything")
    func stale() async throws {
        let store = try TrafficStore(path: path, access: .writing)
        // Of another process than the one that writes.
        try file(pid: getppid()).write()
        #expect(try InstanceFile.read(for: path) == nil)
        try store.close()
        // Of a process that wrote it once: by now its number may be anybody's.
        try file().write()
        #expect(try InstanceFile.read(for: path) == nil)
        for command in [["pause"], ["env"], ["pass-through"], ["system-proxy", "on"]] {
            let ran = try await RunningInspect.run(command + ["--store", path], in: directory)
            #expect(ran.status == 2 && ran.errors.contains("no proxy is running"), "\(command): \(ran.errors)")
        }
        let places = RunningInspect.places(directory)
        let saved = try await RunningInspect.run(["saved", "add", "x", "code:500", "--store", path], in: directory)
        #expect(saved.status == 0, "by itself: \(saved.errors)")
        let shell = ["--", "sh", "-c", "echo $http_proxy"]
        let ran = try await RunningInspect.run(["run"] + places + shell, in: directory)
        #expect(ran.status == 0 && !ran.output.hasPrefix("http://127.0.0.1:1\n"), "\(ran)")
        let doctor = try await RunningInspect.run(["doctor"] + places, in: directory)
        #expect(!doctor.output.contains("kill") && doctor.output.contains("no proxy runs on"), "\(doctor.output)")
    }

    @Test("One that is stopping is there for who waits for its end, and for nobody else")
    func stopping() throws {
        let store = try TrafficStore(path: path, access: .writing)
        try file().write()
        #expect(try InstanceFile.read(for: path)?.pid == getpid())
        file().tellStopping()
        #expect(try InstanceFile.read(for: path) == nil)
        #expect(try InstanceFile.readWriting(for: path)?.pid == getpid())
        var isThere = false
        try store.close { isThere = TrafficStore.writingProcess(at: path) == getpid() }
        #expect(isThere, "the last step is taken under the lock")
        #expect(try InstanceFile.readWriting(for: path) == nil)
    }
}
