import Foundation
import Store
import Support
import Testing
import Trust

/// A command line that names what cannot be used, with what has to be in the line that says so.
struct Mistake: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    /// A word that the line must have, so that it says what is wrong.
    let says: String
    /// Makes what the arguments name; they may say DIR for the test's directory.
    var prepare: @Sendable (TemporaryDirectory) async throws -> Void = { _ in }

    var testDescription: String { arguments.joined(separator: " ") }

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
        Mistake(arguments: start + ["--client-certificate", "a=DIR/none.pem"], says: "none.pem"),
        Mistake(arguments: start + ["--client-certificate", "a=DIR/file"], says: "client-certificate", prepare: aFile),
        Mistake(arguments: start + ["--key-log", "DIR/none/keys"], says: "key-log"),
        Mistake(arguments: ["store", "compact", "--store", "DIR/none/captures.db"], says: "no store"),
        Mistake(arguments: ["clear", "--yes", "--store", "DIR/none/captures.db"], says: "no store"),
        Mistake(arguments: ["saved", "two words", "code:4", "--store", "DIR/none.db"], says: "cannot be a tag"),
        Mistake(
            arguments: ["replay", "1", "--store", "DIR/captures.db"],
            says: "no proxy is running on",
            prepare: aStore
        ),
        Mistake(arguments: ["show", "4711", "--store", "DIR/captures.db"], says: "4711", prepare: aStore),
        Mistake(
            arguments: ["export", "--format", "har", "--store", "DIR/captures.db", "-o", "DIR/file/a.har"],
            says: "a.har"
        ) {
            try await aStore($0)
            try await aFile($0)
        },
    ]

    static let start = ["start", "--port", "0", "--web-port", "0"]

    @Sendable private static func aFile(_ directory: TemporaryDirectory) async throws {
        try directory.write("neither a store nor a directory\n", to: "file")
    }

    /// A store and a root, as `start` makes them.
    @Sendable private static func aStore(_ directory: TemporaryDirectory) async throws {
        try TrafficStore(path: RunningInspect.store(directory), access: .writing).close()
        _ = try TrustFiles(directory: directory.file("ca")).openRoot(hostName: "test", now: Date())
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
