import Foundation
import Support
import Testing

/// `inspect config`, and `inspect start` with a file, as a user meets them.
@Suite(.timeLimit(.minutes(15))) struct ConfigCommandTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Writes the file at its default place.
    private func configure(_ text: String) throws -> String {
        let folder = directory.file("config/inspect")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return try directory.write(text, to: "config/inspect/config.yaml")
    }

    private func run(_ arguments: String..., environment: [String: String?] = [:]) async throws
        -> CommandLineTool.Result
    {
        try await RunningInspect.run(arguments, in: directory, environment: environment)
    }

    @Test("check names each mistake with its place and ends with 1, or says ok")
    func check() async throws {
        let path = try configure("port: 0\nprot: 1\nprofiles:\n  ci: {idle-timeout: soon}\n")
        let bad = try await run("config", "check")
        #expect(bad.status == 1 && bad.errors.isEmpty)
        let lines = bad.output.split(separator: "\n")
        #expect(lines.count == 2 && lines[0] == "\(path):2:1: there is no option 'prot'; did you mean 'port'?")
        #expect(lines.last?.hasPrefix("\(path):4:8: ") == true && lines.last?.contains("soon") == true)

        let broken = try directory.write("port: [\n", to: "broken.yaml")
        for words in [["config", "check"], ["config", "check", broken]] {
            let unread = try await UnreadOutput.run(words, environment: RunningInspect.environment(directory))
            #expect(unread.output == "1\n" && unread.errors.isEmpty, "\(unread)")
        }

        let other = try directory.write("port: 0\nprofiles: {ci: {}, work: {}}\n", to: "other.yaml")
        let good = try await run("config", "check", other)
        #expect(good.status == 0 && good.output == "\(other): ok, 1 option, profiles ci, work\n")
        let none = try await run("config", "check", "/nowhere.yaml")
        #expect(none.status == 2 && none.errors.hasPrefix("inspect: there is no configuration file /nowhere.yaml"))
    }

    @Test("show prints what holds and what set it")
    func show() async throws {
        let path = try configure("web-port: 9191\nsession: filed\nproxy-auth: user:hunter2\nstore: kept/own.db\n")
        let shown = try await run(
            "config",
            "show",
            "--port",
            "9999",
            "--json",
            environment: ["INSPECT_SESSION": "set", "INSPECT_PROT": "1"]
        )
        #expect(shown.status == 0, "\(shown.errors)")
        struct Shown: Decodable {
            struct Option: Decodable {
                let name: String
                let value: Value
                let source: String
                let line: Int?
                let variable: String
            }
            enum Value: Decodable, Equatable {
                case text(String), flag(Bool), list([String]), none

                init(from decoder: any Decoder) throws {
                    let value = try decoder.singleValueContainer()
                    if let flag = try? value.decode(Bool.self) {
                        self = .flag(flag)
                    } else if let text = try? value.decode(String.self) {
                        self = .text(text)
                    } else if let list = try? value.decode([String].self) {
                        self = .list(list)
                    } else {
                        self = .none
                    }
                }
            }
            let file: String
            let options: [Option]
            let unknownVariables: [String]
        }
        let all = try JSONDecoder().decode(Shown.self, from: Data(shown.outputBytes))
        #expect(all.file == path && all.unknownVariables == ["INSPECT_PROT"])
        func value(_ name: String) -> Shown.Value? { all.options.first { $0.name == name }?.value }
        func source(_ name: String) -> String? { all.options.first { $0.name == name }?.source }
        #expect(value("port") == .text("9999") && source("port") == "flag")
        #expect(value("session") == .text("set") && source("session") == "environment")
        #expect(value("web-port") == .text("9191") && all.options.first { $0.name == "web-port" }?.line == 1)
        #expect(value("proxy-auth") == .text("user:***") && source("proxy-auth") == "file")
        #expect(value("store") == .text(directory.file("config/inspect/kept/own.db")))
        #expect(value("ca-directory") == .text(directory.file("data/inspect/ca")))
        #expect(value("body-limit") == .text("64MiB") && source("body-limit") == "default")
        #expect(value("match-protocols") == .flag(true) && value("pass-through") == .list([]))
        #expect(
            value("upstream-ca") == Shown.Value.none && all.options.contains { $0.variable == "INSPECT_UPSTREAM_CA" }
        )

        let table = try await run("config", "show", "--port", "9999")
        let row = try #require(table.output.split(separator: "\n").first { $0.hasPrefix("web-port ") })
        #expect(row.contains(" 9191 ") && row.hasSuffix("config.yaml:1"))
        #expect(table.output.contains("file  \(path)\n") && !table.output.contains("hunter2"))
    }

    @Test("start takes the file, and other commands its store")
    func start() async throws {
        _ = try configure(
            """
            session: from-file
            store: \(RunningInspect.store(directory))
            profiles:
              quiet: {listen: 127.0.0.1, port: 0, web-port: 0}
            """
        )
        let process = try RunningProcess(
            try Executable.inspect(),
            ["start", "--profile", "quiet"],
            environment: RunningInspect.environment(directory)
        )
        _ = try await process.line(containing: "Ctrl-C stops")
        #expect(try await process.stop().status == 0)
        let store = try await run("store", "--json")
        #expect(store.status == 0 && store.output.contains("from-file"), "\(store.errors)")
        #expect(store.output.contains(RunningInspect.store(directory)))
        // What is named goes before the file.
        let elsewhere = try await run("store", environment: ["INSPECT_STORE": "/nowhere.db"])
        #expect(elsewhere.status == 2 && elsewhere.errors.contains("/nowhere.db"))
    }

    @Test(
        "A mistake in the file ends start with one line that names its place, and leaves help and other commands alone"
    )
    func mistake() async throws {
        let path = try configure("web-port: 0\nprot: 0\n")
        let started = try await run("start", "--port", "0")
        #expect(started.status == 2 && started.output.isEmpty)
        #expect(started.errors == "inspect: \(path):2:1: there is no option 'prot'; did you mean 'port'?\n")
        #expect(try await run("start", "--help").status == 0)
        #expect(try await run("help", "start").status == 0)
        #expect(try await run("ls").errors.contains("prot") == false)
        let flagged = try await run("start", "--port", "many")
        #expect(flagged.status == 2 && flagged.errors.contains("prot"))
    }
}
