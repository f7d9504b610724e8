import Foundation
import Support
import Testing

/// What `inspect system-proxy` says of the settings, by settings that are files, which need no desktop.
@Suite("What the system's settings are said to be", .timeLimit(.minutes(15)))
struct SystemProxyStatusTests {
    /// No process has this number.
    private static let gone: Int32 = .max

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func inspect(_ arguments: String...) async throws -> CommandLineTool.Result {
        try await CommandLineTool.run(
            try Executable.inspect(),
            ["system-proxy"] + arguments,
            environment: ["XDG_DATA_HOME": directory.path]
        )
    }

    /// Writes down three settings: the first is as it was set, the second as before, the third neither.
    private func leave(by pid: Int32) throws {
        let changes = try [("set", "mine", "old"), ("back", "old", "old"), ("other", "theirs", "old")]
            .map { name, now, before in
                let path = try directory.write(now, to: name)
                return ["setting": ["file": ["path": path]], "before": before, "after": "mine"] as [String: Any]
            }
        let record: [String: Any] = ["proxy": "127.0.0.1:9090", "owner": ["pid": Int(pid)], "changes": changes]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: record), as: UTF8.self)
        try FileManager.default.createDirectory(
            atPath: directory.file("inspect"),
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        let file = try directory.write(text, to: "inspect/system-proxy.json")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }

    private func object(_ result: CommandLineTool.Result) throws -> NSDictionary {
        #expect(result.status == 0, "\(result.errors)")
        return try #require(
            try? JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? NSDictionary,
            "\(result.output)\(result.errors)"
        )
    }

    @Test("Lines say who set what, and how each setting stands now")
    func lines() async throws {
        #expect(try await inspect().output == "off: inspect has set nothing\n")
        try leave(by: Self.gone)
        let expected = [
            "left behind: 127.0.0.1:9090 of process \(Self.gone), which is gone; 'inspect system-proxy off', or the next start, puts it back",
            "  \(directory.file("set")): set", "  \(directory.file("back")): as before",
            "  \(directory.file("other")): changed by somebody else", "",
        ]
        #expect(try await inspect("status").output == expected.joined(separator: "\n"))
    }

    @Test("As JSON the status of settings that nobody set has all members")
    func off() async throws {
        let expected: NSDictionary = ["state": "off", "proxy": NSNull(), "pid": NSNull(), "settings": [Any]()]
        #expect(try object(try await inspect("status", "--json")) == expected)
    }

    @Test("As JSON the status says what the lines say, of a process that runs and of one that is gone")
    func json() async throws {
        try leave(by: getpid())
        let running = try object(try await inspect("--json"))
        let settings: [[String: Any]] = [
            ["place": directory.file("set"), "state": "set", "problem": NSNull()],
            ["place": directory.file("back"), "state": "as-before", "problem": NSNull()],
            ["place": directory.file("other"), "state": "changed", "problem": NSNull()],
        ]
        var expected: [String: Any] = [
            "state": "on", "proxy": "127.0.0.1:9090", "pid": Int(getpid()), "settings": settings,
        ]
        #expect(running == expected as NSDictionary)
        try FileManager.default.removeItem(atPath: directory.file("inspect"))
        try leave(by: Self.gone)
        (expected["state"], expected["pid"]) = ("left-behind", Int(Self.gone))
        #expect(try object(try await inspect("status", "--json")) == expected as NSDictionary)
    }
}
