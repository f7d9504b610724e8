import Foundation
import Support
import Testing

/// A command line that cannot work, with what has to be in its line.
struct Mistake: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    /// A word that the line must have, so that it says what is wrong.
    let says: String
    /// Makes what the arguments name; they may say DIR for the test's directory.
    var prepare: @Sendable (TemporaryDirectory) async throws -> Void = { _ in }

    var testDescription: String { arguments.joined(separator: " ") }

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
        Mistake(arguments: ["start", "--listen-mode", "socks5"], says: "--listen-mode socks5"),
        Mistake(arguments: ["start", "--listen-mode", "socks4@1080"], says: "socks4"),
        Mistake(arguments: ["start", "--listen-mode", "explicit@70000"], says: "70000"),
        Mistake(arguments: ["start", "--listen-mode", "explicit@::1:80"], says: "brackets"),
        Mistake(arguments: ["start", "--listen-mode", "reverse:ftp://a@80"], says: "https://HOST"),
        Mistake(arguments: ["start", "--listen-mode", "reverse:http://a/b@80"], says: "path"),
        Mistake(arguments: ["start", "--listen-mode", "socks5:user@80"], says: "USER:PASSWORD"),
        Mistake(arguments: ["start", "--listen-mode", "explicit@80", "--port", "81"], says: "exclude each other"),
        Mistake(
            arguments: ["start", "--listen-mode", "explicit@80", "--listen-mode", "socks5@80"],
            says: "127.0.0.1:80"
        ),
        Mistake(arguments: ["demo", "--listen-mode", "socks5@0"], says: "explicit@0"),
        Mistake(arguments: ["start", "--listen", "0.0.0.0"], says: "--proxy-auth USER:PASSWORD asks them to log in"),
        Mistake(arguments: ["start", "--listen", "::"], says: "--allow-client"),
        Mistake(arguments: ["start", "--listen-mode", "socks5@192.0.2.1:1080"], says: "192.0.2.1:1080"),
        Mistake(
            arguments: ["start", "--listen-mode", "transparent@[::]:80", "--proxy-auth", "a:b"],
            says: "no login can be asked for there"
        ),
        Mistake(arguments: ["start", "--allow-client", "192.168.1.0/33"], says: "192.168.1.0/24"),
        Mistake(arguments: ["start", "--pac-include", "a.test:80"], says: "--pac-include a.test:80"),
        Mistake(arguments: ["start", "--pac-exclude", "a b"], says: "--pac-exclude a b"),
        Mistake(arguments: ["start", "--proxy-auth", "user"], says: "--proxy-auth"),
        Mistake(arguments: ["start", "--upstream-proxy", "ftp://a:1"], says: "socks5://"),
        Mistake(arguments: ["start", "--upstream-proxy", "http://user:secret@a"], says: "HOST:PORT"),
        Mistake(arguments: ["start", "--pass-through", "a:443"], says: "a:443"),
        Mistake(arguments: ["start", "--resolve", "a:443"], says: "a:443"),
        Mistake(arguments: ["start", "--resolve", "a:443:b"], says: "a:443:b"),
        Mistake(arguments: ["start", "--client-certificate", "a"], says: "HOST=FILE"),
        Mistake(arguments: ["start", "--idle-timeout", "5"], says: "500ms"),
        Mistake(arguments: ["start", "--idle-timeout", "0s"], says: "--idle-timeout"),
        Mistake(arguments: ["start", "--header-limit", "64kk"], says: "256k"),
        Mistake(arguments: ["start", "--body-limit", "-1"], says: "--body-limit"),
        Mistake(arguments: ["start", "--connection-limit", "0"], says: "--connection-limit"),
        Mistake(arguments: ["start", "--stream-limit", "many"], says: "many"),
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
        Mistake(arguments: start + ["--client-certificate", "a=DIR/none.pem"], says: "none.pem"),
        Mistake(arguments: start + ["--client-certificate", "a=DIR/file"], says: "client-certificate", prepare: aFile),
        Mistake(arguments: start + ["--key-log", "DIR/none/keys"], says: "key-log"),
        Mistake(arguments: ["replay", "1", "--store", "DIR/captures.db"], says: "1", prepare: aStore),
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
