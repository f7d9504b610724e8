import Foundation
import Support
import Testing

/// Bad input is one clear line on standard error and exit 2, and damages nothing.
@Suite struct BadInputTests {
    /// A command line that cannot work, with what has to be in its line.
    struct Mistake: CustomTestStringConvertible, Sendable {
        let arguments: [String]
        /// A word that the line must have, so that it says what is wrong.
        let says: String
        /// Makes what the arguments name; they may say DIR for the test's directory.
        var prepare: @Sendable (TemporaryDirectory) async throws -> Void = { _ in }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let usage: [Mistake] = [
        Mistake(arguments: ["filter", "--no-such-option"], says: "--no-such-option"),
        Mistake(arguments: ["no-such-command"], says: "no-such-command"),
        Mistake(arguments: ["filter", "--code", "abc"], says: "abc"),
        Mistake(arguments: ["filter", "--code", "1000"], says: "1000"),
        Mistake(arguments: ["ls", "--code", "500,"], says: "--code"),
        Mistake(arguments: ["ls", "--scheme", "gopher"], says: "gopher"),
        Mistake(arguments: ["ls", "--since", "yesterday-ish"], says: "yesterday-ish"),
        Mistake(arguments: ["ls", "--limit", "-1"], says: "limit"),
        Mistake(arguments: ["show", "nine"], says: "nine"),
        Mistake(arguments: ["show"], says: "id"),
        Mistake(arguments: ["start", "--port", "70000"], says: "70000"),
        Mistake(arguments: ["start", "--port", "9000", "--web-port", "9000"], says: "9000"),
    ]

    /// Root may do everything that permissions forbid, so what is forbidden here is forbidden to root too.
    static let places: [Mistake] = [
        Mistake(arguments: ["ls", "--store", "DIR/none.db"], says: "none.db"),
        Mistake(arguments: ["ls", "--store", "DIR/file/captures.db"], says: "DIR/file/captures.db", prepare: aFile),
        Mistake(arguments: ["ls", "--store", "DIR"], says: "DIR"),
        Mistake(arguments: ["ls", "--store", "DIR/file"], says: "DIR/file", prepare: aFile),
        Mistake(arguments: ["ls", "--store", "DIR/foreign.db"], says: "another program", prepare: foreignDatabase),
        Mistake(arguments: ["ls", "--store", "DIR/captures.db"], says: "newer", prepare: newerStore),
        Mistake(arguments: start + ["--store", "DIR/file/captures.db"], says: "DIR/file", prepare: aFile),
        Mistake(arguments: start + ["--store", "DIR/file"], says: "DIR/file", prepare: aFile),
        Mistake(arguments: start + ["--store", "DIR/foreign.db"], says: "another program", prepare: foreignDatabase),
        Mistake(arguments: start + ["--store", "DIR/captures.db"], says: "newer", prepare: newerStore),
        Mistake(arguments: start + ["--ca-directory", "DIR/file/ca"], says: "DIR/file", prepare: aFile),
        Mistake(arguments: start + ["--ca-directory", "DIR/ca"], says: "DIR/ca", prepare: brokenKey),
        Mistake(arguments: start + ["--ca-directory", "DIR/ca"], says: "root-key.pem", prepare: openKey),
        Mistake(arguments: ["ca", "--ca-directory", "DIR/ca"], says: "DIR/ca", prepare: brokenKey),
        Mistake(arguments: start + ["--upstream-ca", "DIR/none.pem"], says: "none.pem"),
        Mistake(arguments: start + ["--upstream-ca", "DIR/file"], says: "upstream-ca", prepare: aFile),
        Mistake(arguments: ["show", "4711", "--store", "DIR/captures.db"], says: "4711", prepare: aStore),
        Mistake(
            arguments: ["export", "--format", "har", "--store", "DIR/captures.db", "-o", "DIR/file/a.har"],
            says: "a.har"
        ) {
            try await aStore($0)
            try await aFile($0)
        },
    ]

    private static let start = ["start", "--port", "0", "--web-port", "0"]

    @Test("A mistake in the command line", arguments: usage)
    func usage(_ mistake: Mistake) async throws {
        try await expectRefusal(mistake, in: TemporaryDirectory())
    }

    @Test("A place that cannot be used", arguments: places)
    func places(_ mistake: Mistake) async throws {
        let directory = try TemporaryDirectory()
        try await mistake.prepare(directory)
        try await expectRefusal(mistake, in: directory)
    }

    @Test("A port in use, for the proxy or the page", arguments: ["--port", "--web-port"])
    func portInUse(_ option: String) async throws {
        let taken = try await LoopbackOrigin.start { _ in nil }
        let other = option == "--port" ? "--web-port" : "--port"
        let directory = try TemporaryDirectory()
        let arguments = ["start", option, "\(taken.port)", other, "0"] + RunningInspect.places(directory)
        let result = try await RunningInspect.run(arguments, in: directory)
        expectOneLine(result, saying: "\(taken.port)")
        #expect(result.errors.contains(option), "It says what to change: \(result.errors)")
    }

    @Test("A second writer on one store names the first; the first goes on, and readers read beside it")
    func secondWriter() async throws {
        let first = try await RunningInspect.start()
        let second = try await RunningInspect.run(
            Self.start + [
                "--store", RunningInspect.store(first.directory), "--ca-directory", first.directory.file("other"),
            ],
            in: first.directory
        )
        expectOneLine(second, saying: "\(first.process.id)")
        #expect(try await first.listing().total == 0)
        #expect(first.process.soFar.status == nil)
        #expect(try await first.process.stop().status == 0)
    }

    private func expectRefusal(_ mistake: Mistake, in directory: TemporaryDirectory) async throws {
        func located(_ text: String) -> String { text.replacing("DIR", with: directory.path) }
        let before = try await Self.contents(directory)
        var arguments = mistake.arguments.map(located)
        let takesPlaces = ["start", "ls", "filter", "show", "export"].contains(arguments[0])
        if takesPlaces, !arguments.contains("--store") { arguments += ["--store", directory.file("unused.db")] }
        if arguments[0] == "start", !arguments.contains("--ca-directory") {
            arguments += ["--ca-directory", directory.file("new-ca")]
        }
        let result = try await RunningInspect.run(arguments, in: directory, within: .seconds(30))
        expectOneLine(result, saying: located(mistake.says))
        // What was there is as it was; a root or a store of its own may have been made beside it.
        let after = try await Self.contents(directory)
        for (name, sum) in before { #expect(after[name] == sum, "\(name) was changed") }
    }

    private func expectOneLine(_ result: CommandLineTool.Result, saying word: String) {
        #expect(result.status == 2, "\(result.output)\(result.errors)")
        #expect(result.output == "")
        #expect(result.errors.hasSuffix("\n") && result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        #expect(result.errors.hasPrefix("inspect: "), "\(result.errors)")
        #expect(result.errors.lowercased().contains(word.lowercased()), "\(result.errors)")
        #expect(!result.errors.contains("Error Domain") && !result.errors.contains("error("), "\(result.errors)")
    }

    /// Every file under a directory with its checksum and mode.
    private static func contents(_ directory: TemporaryDirectory) async throws -> [String: String] {
        let listed = try await CommandLineTool.run(
            "sh",
            [
                "-c",
                "find \"$1\" -type f ! -name '*.lock' | while read -r f; do echo \"$(cksum <\"$f\") $(ls -l \"$f\" | cut -c1-10) $f\"; done",
            ]
                + ["sh", directory.path]
        )
        let lines = listed.output.split(separator: "\n").compactMap { line -> (String, String)? in
            guard let name = line.split(separator: " ").last else { return nil }
            return (String(name), String(line))
        }
        return Dictionary(uniqueKeysWithValues: lines)
    }
}

extension BadInputTests {
    @Sendable private static func aFile(_ directory: TemporaryDirectory) async throws {
        try directory.write("neither a store nor a directory\n", to: "file")
    }

    @Sendable private static func aStore(_ directory: TemporaryDirectory) async throws {
        let inspect = try await RunningInspect.start(in: directory)
        guard try await inspect.process.stop().status == 0 else { throw Unexpected("start and stop") }
    }

    @Sendable private static func foreignDatabase(_ directory: TemporaryDirectory) async throws {
        try await sql("create table notes (text); insert into notes values ('mine')", directory.file("foreign.db"))
    }

    @Sendable private static func newerStore(_ directory: TemporaryDirectory) async throws {
        try await aStore(directory)
        try await sql("pragma user_version = 999", RunningInspect.store(directory))
    }

    @Sendable private static func brokenKey(_ directory: TemporaryDirectory) async throws {
        try await aStore(directory)
        try directory.write("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", to: "ca/root-key.pem")
    }

    @Sendable private static func openKey(_ directory: TemporaryDirectory) async throws {
        try await aStore(directory)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644],
            ofItemAtPath: directory.file("ca/root-key.pem")
        )
    }

    private static func sql(_ statements: String, _ file: String) async throws {
        let script =
            "import sqlite3, sys; d = sqlite3.connect(sys.argv[2]); d.executescript(sys.argv[1]); d.commit(); d.close()"
        let result = try await CommandLineTool.run("python3", ["-c", script, statements, file])
        guard result.status == 0 else { throw Unexpected("python3: \(result.errors)") }
    }
}
