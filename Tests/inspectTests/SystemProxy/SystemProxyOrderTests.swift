import Foundation
import Support
import Testing
import Traffic
import Trust

@testable import inspect

/// Which process sets and puts back, by a setting that is a file.
@Suite("Settings of the system, set by several processes", .timeLimit(.minutes(15)))
struct SystemProxyOrderTests {
    private let directory: TemporaryDirectory
    private let system: SystemProxy
    private let proxy = Endpoint(host: "127.0.0.1", port: 9_090)

    init() throws {
        directory = try TemporaryDirectory()
        system = SystemProxy(
            tools: SystemTools(environment: [:], home: directory.path),
            path: directory.file("system-proxy.json")
        )
    }

    private func plan(_ value: String) -> SystemProxyPlan {
        SystemProxyPlan(steps: [.init(setting: .file(path: directory.file("setting")), value: value)], notes: [])
    }

    private var setting: String? {
        FileManager.default.contents(atPath: directory.file("setting")).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("What was set for a proxy that ended meanwhile is put back before another process can set its own")
    func ended() throws {
        let other = SystemProxy(tools: system.tools, path: system.path)
        var seen: [String?] = []
        let problem = #expect(throws: InputError.self) {
            try system.on(plan("mine"), proxy: proxy, owner: .own) {
                seen.append(setting)
                // Whoever else wants to set something waits until this is put back.
                let lock = try? DirectoryLock(other.path + ".lock", deadline: .zero)
                lock?.release()
                seen.append(lock == nil ? "locked" : "free")
                return false
            }
        }
        #expect(problem?.description == "the proxy ended meanwhile; nothing stays changed")
        #expect(seen == ["mine", "locked"])
        #expect(setting == nil && !FileManager.default.fileExists(atPath: system.path))
        try other.on(plan("theirs"), proxy: proxy, owner: .own)
        #expect(setting == "theirs")
    }

    @Test("Who changes the marks of a store in the same folder holds nobody up")
    func marks() throws {
        let lock = try DirectoryLock(directory.path, deadline: .zero)
        defer { lock.release() }
        try system.on(plan("mine"), proxy: proxy, owner: .own)
        #expect(setting == "mine")
        #expect(system.release() == nil && setting == nil)
    }
}
