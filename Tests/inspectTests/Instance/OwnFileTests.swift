import Foundation
import Store
import Support
import Testing

@testable import ProgramTests
@testable import inspect

@Suite("Files that are believed", .timeLimit(.minutes(15)))
struct OwnFileTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("captures.db")
    }

    private func chmod(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// The one sentence of a refusal.
    private func refusal(_ body: () throws -> Void) throws -> String {
        let error = try #require(throws: InputError.self) { try body() }
        #expect(!error.description.contains("\n"))
        return error.description
    }

    private func writeInstance() throws {
        try InstanceFile(
            pid: getpid(),
            proxy: "127.0.0.1:1",
            listeners: [],
            page: "http://127.0.0.1:1",
            token: "secret",
            storePath: path
        ).write()
    }

    @Test("Another user's instance file leads nowhere: nothing is asked of what it names")
    func foreignInstance() throws {
        let store = try TrafficStore(path: path, access: .writing)
        try writeInstance()
        #expect(try InstanceFile.readWriting(for: path)?.pid == getpid())
        let user = try ForeignOwner.give(path + ".instance")
        let sentence = try refusal { _ = try InstanceFile.readWriting(for: path, user: user) }
        #expect(sentence.hasPrefix(path + ".instance belongs to another user (number"), "\(sentence)")
        try store.close()
    }

    @Test("An instance file that others may open, or that is a link, is refused with what to do")
    func openInstance() async throws {
        try writeInstance()
        try chmod(0o644, path + ".instance")
        let ran = try await RunningInspect.run(["pause", "--store", path], in: directory)
        #expect(ran.status == 2 && ran.errors.contains("chmod 600 "), "\(ran.errors)")
        try FileManager.default.moveItem(atPath: path + ".instance", toPath: directory.file("other"))
        try chmod(0o600, directory.file("other"))
        try FileManager.default.createSymbolicLink(
            atPath: path + ".instance",
            withDestinationPath: directory.file("other")
        )
        #expect(try refusal { _ = try InstanceFile.readWriting(for: path) }.contains(".instance cannot be read"))
    }

    @Test(
        "A pipe in the place of the instance file or the lock holds no command up",
        arguments: [".instance", ".lock"]
    )
    func pipe(_ suffix: String) async throws {
        try TrafficStore(path: path, access: .writing).close()
        try? FileManager.default.removeItem(atPath: path + suffix)
        #expect(mkfifo(path + suffix, 0o600) == 0)
        let ran = try await RunningInspect.run(["status", "--store", path], in: directory)
        if suffix == ".instance" {
            #expect(ran.status == 2 && ran.errors.contains(".instance is not a file; remove it"), "\(ran.errors)")
        } else {
            #expect(ran.status == 1, "\(ran.errors)")
        }
    }

    @Test("A token that another user knows, or may write, opens no page")
    func token() throws {
        let path = directory.file("token")
        let token = try TokenFile(path: path).token()
        #expect(try TokenFile(path: path).token() == token)
        for mode in [0o604, 0o620] {
            try chmod(mode, path)
            #expect(try refusal { _ = try TokenFile(path: path).token() }.contains("chmod 640 "))
        }
        // As secrets come into containers: by a link, for a group.
        try chmod(0o640, path)
        try FileManager.default.createSymbolicLink(atPath: directory.file("link"), withDestinationPath: path)
        #expect(try TokenFile(path: directory.file("link")).token() == token)
        let user = try ForeignOwner.give(path)
        #expect(try refusal { _ = try TokenFile(path: path).token(user: user) }.contains("belongs to another user"))
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        #expect(try refusal { _ = try TokenFile(path: path).token() }.contains("is not a file"))
    }
}
