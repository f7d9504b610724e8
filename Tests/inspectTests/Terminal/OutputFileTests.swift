import CoreFoundation
import Foundation
import Support
import Testing

@testable import ProgramTests
@testable import inspect

@Suite("A file that is written whole or not at all", .timeLimit(.minutes(15)))
struct OutputFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Writes a text as a file that a user named.
    private func write(_ text: String, to name: String) throws {
        let file = try OutputFile(named: name)
        try file.write(Array(text.utf8))
        try file.finish()
    }

    private func kind(_ path: String) throws -> mode_t {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw Unexpected("there is no \(path)") }
        return status.st_mode & S_IFMT
    }

    @Test("Written by many at the same time it is one of theirs, whole, and nothing else is left")
    func together() async throws {
        let path = directory.file("out")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let file = try OutputFile(path)
                    for _ in 0..<8 { try file.write([UInt8](repeating: UInt8(65 + number), count: 10_000)) }
                    try file.finish()
                }
            }
            try await group.waitForAll()
        }
        let bytes = try directory.read("out")
        #expect(bytes.count == 80_000 && Set(bytes).count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["out"])
    }

    @Test("Until it is whole there is nothing to see, so that a process that is killed leaves nothing")
    func unfinished() throws {
        let path = try directory.write("old", to: "out")
        let file = try OutputFile(named: path)
        try file.write(Array("new".utf8))
        #if os(Linux)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["out"])
        #endif
        #expect(try directory.read("out") == Array("old".utf8))
        try file.finish()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["out"])
        #expect(try directory.read("out") == Array("new".utf8))
    }

    @Test("A link and a pipe in a directory of one's own lead where they lead")
    func places() throws {
        #expect(mkfifo(directory.file("pipe"), 0o600) == 0)
        try FileManager.default.createSymbolicLink(atPath: directory.file("link"), withDestinationPath: "pipe")
        #expect(try OutputPlace(directory.file("link")) == .stream(directory.file("pipe")))
    }

    @Test("A pipe stays a pipe and gets the bytes")
    func pipe() throws {
        let path = directory.file("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        try write("through", to: path)
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(reader, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "through")
        #expect(try kind(path) == S_IFIFO)
    }

    @Test("A pipe that nobody reads any more is an error, and not the quiet end of a command")
    func unread() throws {
        let path = directory.file("pipe")
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        let file = try OutputFile(named: path)
        close(reader)
        #expect(throws: InputError.self) { try file.write(Array("unread".utf8)) }
    }

    @Test("A device stays a device")
    func device() throws {
        // A terminal of the test's own.
        var (reader, terminal): (Int32, Int32) = (-1, -1)
        try #require(openpty(&reader, &terminal, nil, nil, nil) == 0)
        defer { for end in [reader, terminal] { close(end) } }
        let path = String(cString: try #require(ttyname(terminal)))
        try write("shown", to: path)
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(reader, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "shown")
        #expect(try kind(path) == S_IFCHR)
    }

    @Test("A link stays a link, over others too, and what it leads to is replaced, or made")
    func links() throws {
        try FileManager.default.createDirectory(atPath: directory.file("real"), withIntermediateDirectories: false)
        let target = try directory.write("old", to: "real/target")
        for (name, goal) in [("first", "real/target"), ("second", directory.file("first")), ("new", "real/made")] {
            try FileManager.default.createSymbolicLink(atPath: directory.file(name), withDestinationPath: goal)
        }
        try write("new", to: directory.file("second"))
        try write("made", to: directory.file("new"))
        #expect(try kind(directory.file("second")) == S_IFLNK && kind(directory.file("new")) == S_IFLNK)
        #expect(try kind(target) == S_IFREG && directory.read("real/target") == Array("new".utf8))
        #expect(try directory.read("real/made") == Array("made".utf8))
    }

    @Test("Nothing is written by way of a link that another user laid where anybody may, a folder's or the file's own")
    func foreignLinks() throws {
        for name in ["real", "shared"] {
            try FileManager.default.createDirectory(atPath: directory.file(name), withIntermediateDirectories: false)
        }
        try directory.write("old", to: "real/out")
        for (name, goal) in [("folder", "../real"), ("file", "../real/out")] {
            let link = directory.file("shared/" + name)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: goal)
            _ = try ForeignOwner.give(link)
        }
        let names = ["shared/folder/out", "shared/file"].map(directory.file)
        for name in names { #expect(throws: Never.self) { try OutputFile(named: name) } }
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory.file("shared"))
        // Where this user is not root, the links are his own.
        guard geteuid() == 0 else { return }
        for name in names { #expect(throws: InputError.self) { try OutputFile(named: name) } }
        #expect(try directory.read("real/out") == Array("old".utf8))
    }

    @Test("A directory and a link that leads nowhere are refused before anything is done")
    func refused() throws {
        for (name, goal) in [("round", "about"), ("about", "round")] {
            try FileManager.default.createSymbolicLink(atPath: directory.file(name), withDestinationPath: goal)
        }
        for name in [directory.path, directory.file("round")] {
            let refusal = #expect(throws: InputError.self) { try OutputFile(named: name) }
            #expect(refusal?.description.hasPrefix("cannot write \(name): ") == true)
        }
    }

    @Test("The names of what is open already lead there")
    func names() throws {
        #expect(try OutputPlace("/dev/stdout") == .open(1) && OutputPlace("/dev/stderr") == .open(2))
        #expect(try OutputPlace("/dev/fd/7") == .open(7) && OutputPlace("/proc/self/fd/12") == .open(12))
        #expect(try OutputPlace(directory.file("x")) == .file(directory.file("x")))
    }

    @Test("What a link to standard output is given goes there")
    func standardOutput() async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1))
        // Not by its own name: where this fails, that must not be what is replaced.
        try FileManager.default.createSymbolicLink(atPath: store.file("out"), withDestinationPath: "/dev/fd/1")
        let whole = try await store.inspect("export", "--format", "jsonl")
        let named = try await store.inspect("export", "--format", "jsonl", "-o", store.file("out"))
        #expect(whole.status == 0 && named.status == 0, "\(named.errors)")
        #expect(!whole.outputBytes.isEmpty && named.outputBytes == whole.outputBytes)
    }
}
