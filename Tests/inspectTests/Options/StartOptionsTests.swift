import ArgumentParser
import NIOCore
import Proxy
import Support
import Testing
import Traffic

@testable import inspect

/// The options of `start`, as they are written.
@Suite(.timeLimit(.minutes(15))) struct StartOptionsTests {
    /// The options that a command line gives.
    private static func options(_ words: [String]) throws -> StartOptions { try StartCommand.parse(words).options }

    @Test(
        "Ways in are read as MODE@[ADDRESS:]PORT",
        arguments: [
            ("explicit@9090", "explicit@127.0.0.1:9090"), ("socks5@0.0.0.0:1080", "socks5@0.0.0.0:1080"),
            ("socks5:user:p@ss:word@1080", "socks5@127.0.0.1:1080"), ("transparent@[::]:8080", "transparent@[::]:8080"),
            ("reverse:https://api.example.com@8443", "reverse:https://api.example.com:443@127.0.0.1:8443"),
            ("reverse:http://[::1]:8000/@localhost:0", "reverse:http://[::1]:8000@localhost:0"),
        ]
    )
    func modes(_ text: String, _ expected: String) throws {
        let mode = try ListenMode(option: text, defaultHost: "127.0.0.1")
        #expect(mode.description == expected)
        if case .socks5(let credentials?) = mode.way {
            #expect(credentials.user == "user" && credentials.password == "p@ss:word")
        }
    }

    @Test(
        "Without --listen-mode there is one explicit listener, with it those that are listed; --listen names the address"
    )
    func listed() throws {
        #expect(try Self.options([]).listening.modes(.known).map(\.description) == ["explicit@127.0.0.1:9090"])
        #expect(try Self.options([]).listening.modes(.any).map(\.description) == ["explicit@127.0.0.1:0"])
        let options = try Self.options([
            "--listen", "[::1]", "--listen-mode", "socks5@1080", "--listen-mode", "explicit@127.0.0.1:9000",
        ])
        let configuration = try options.configuration(ports: .known)
        #expect(configuration.listenModes.map(\.description) == ["socks5@[::1]:1080", "explicit@127.0.0.1:9000"])
    }

    @Test(
        "Ports that the system gives both of are taken: none, other addresses, and where any will do",
        arguments: [
            ["start", "--port", "0", "--web-port", "0"], ["start", "--port", "0", "--web-port", "9090"],
            ["start", "--listen-mode", "explicit@192.0.2.1:9091", "--proxy-auth", "a:b"],
            ["start", "--listen-mode", "explicit@[::1]:9091"], ["start", "--listen-mode", "explicit@127.0.0.2:9091"],
            ["start", "--listen-mode", "explicit@0", "--listen-mode", "socks5@0"],
            ["start", "--listen-mode", "explicit@80", "--listen-mode", "socks5@127.0.0.2:80"],
            ["run", "--web-port", "9090", "--", "true"], ["demo", "--port", "9091"],
        ]
    )
    func portsBesideEachOther(_ words: [String]) throws {
        _ = try Inspect.command(words, environment: ["HOME": HermeticEnvironment.home])
    }

    @Test("Every option that takes a password says who can read a command line, and where only its owner can")
    func passwords() throws {
        let options = try CommandInformation(of: StartCommand.self).arguments.filter {
            "\($0.valueName) \($0.discussion)".uppercased().contains("USER:PASSWORD")
        }
        #expect(Set(options.flatMap(\.longNames)) == ["listen-mode", "proxy-auth", "upstream-proxy"])
        for option in options {
            #expect(
                option.discussion.contains("Every user of the machine can read a command line"),
                "\(option.longNames)"
            )
            for name in option.longNames {
                #expect(
                    option.discussion.contains("$INSPECT_\(name.uppercased().replacing("-", with: "_"))"),
                    "\(name)"
                )
                // It is written with an editor, whose files others may read.
                #expect(option.discussion.contains("a configuration file of mode 600 (\(name): "), "\(name)")
            }
        }
    }

    @Test("An upstream proxy is read with its credentials, which it does not show")
    func upstreamProxy() throws {
        func proxy(_ text: String) throws -> UpstreamProxy? {
            try Self.options(["--upstream-proxy", text]).upstreams.proxy()
        }
        let http = try #require(try proxy("http://us%20er:p%40ss@[::1]:3128/"))
        #expect(http.description == "http://[::1]:3128")
        #expect(http.credentials?.user == "us er" && http.credentials?.password == "p@ss")
        let socks = try #require(try proxy("socks5h://user:p%40ss@proxy.test:1080"))
        #expect(
            socks.kind == .socks5 && socks.credentials?.password == "p@ss"
                && socks.description == "socks5://proxy.test:1080"
        )
        #expect(try proxy("http://proxy.test:3128")?.credentials == nil)
    }

    @Test("Addresses for names are read as curl reads them")
    func overrides() throws {
        let options = try Self.options([
            "--resolve", "a.test:443:127.0.0.1,[::1]", "--resolve", "*:80:::1", "--resolve", "+B.test:80:192.0.2.1",
        ])
        let overrides = try options.upstreams.overrides()
        #expect(overrides.map(\.host) == ["a.test", nil, "b.test"] && overrides.map(\.port) == [443, 80, 80])
        #expect(overrides.map(\.addresses) == [["127.0.0.1", "::1"], ["::1"], ["192.0.2.1"]])
    }

    @Test("Hosts that are passed through are added to Apple's, or stand alone")
    func passThrough() throws {
        let options = try Self.options(["--pass-through", "a.test", "*.b.test,c.test", "--web-port", "0"])
        let added = try options.upstreams.passThrough().map(\.description)
        #expect(added.suffix(3) == ["a.test", "*.b.test", "c.test"] && added.first == "*.apple.com")
        let alone = try Self.options(["--no-default-pass-through", "--pass-through", "a.test"])
        #expect(try alone.upstreams.passThrough().map(\.description) == ["a.test"])
    }

    @Test(
        "Sizes",
        arguments: [
            ("0", 0, "0"), ("1000", 1_000, "1000"), ("256k", 256 << 10, "256KiB"), ("64MiB", 64 << 20, "64MiB"),
            ("2gb", 2 << 30, "2GiB"), ("1K", 1_024, "1KiB"),
        ]
    )
    func sizes(_ text: String, _ bytes: Int, _ shown: String) throws {
        let size = try ByteCount(orNone: text)
        #expect(size.bytes == bytes && size.description == shown)
    }

    @Test(
        "What is no size or time is refused",
        arguments: ["", "k", "1.5k", "10 k", "-1", "1kk", "1i", "99999999999999999"]
    )
    func noSizes(_ text: String) {
        #expect(throws: (any Error).self) { try ByteCount(orNone: text) }
        #expect(throws: (any Error).self) { try TimeSpan(option: text) }
    }

    @Test(
        "Times",
        arguments: [("500ms", 500, "500ms"), ("10s", 10_000, "10s"), ("120s", 120_000, "2m"), ("1h", 3_600_000, "1h")]
    )
    func times(_ text: String, _ milliseconds: Int64, _ shown: String) throws {
        let time = try TimeSpan(option: text)
        #expect(time.amount == .milliseconds(milliseconds) && time.description == shown)
    }

    @Test("A failed handshake is recorded with the command that mends it")
    func remedies() throws {
        let words = try Self.options([]).configuration(ports: .known).remedyWords
        #expect(words?(.checkMachine) == "inspect doctor")
    }

    @Test("Each limit reaches the proxy's configuration, and the defaults are the proxy's own")
    func limits() throws {
        let own = ProxyConfiguration()
        let unset = try Self.options([]).configuration(ports: .known)
        #expect(unset.headLimitBytes == own.headLimitBytes && unset.bodyLimitBytes == own.bodyLimitBytes)
        #expect(unset.idleTimeout == own.idleTimeout && unset.startLineLimitBytes == own.startLineLimitBytes)
        #expect(unset.messageLimitBytes == own.messageLimitBytes)
        #expect(unset.messageDecodedLimitBytes == own.messageDecodedLimitBytes)
        #expect(unset.drainTimeout == own.drainTimeout)
        let set = try Self.options([
            "--header-limit", "8k", "--header-count-limit", "10", "--body-limit", "0", "--connect-timeout", "1s",
            "--handshake-timeout", "2s", "--first-byte-timeout", "3s", "--idle-timeout", "4s", "--connection-limit",
            "5", "--stream-limit", "6", "--reset-limit", "7", "--decoded-limit", "1MiB", "--message-limit", "9k",
            "--message-decoded-limit", "10k", "--drain-seconds", "8",
        ]).configuration(ports: .known)
        #expect(set.headLimitBytes == 8_192 && set.startLineLimitBytes == 8_192 && set.fieldLimitCount == 10)
        #expect(set.bodyLimitBytes == 0 && set.decodedLimitBytes == 1 << 20)
        #expect(set.messageLimitBytes == 9 << 10 && set.messageDecodedLimitBytes == 10 << 10)
        #expect(set.connectTimeout == .seconds(1) && set.handshakeTimeout == .seconds(2))
        #expect(set.firstByteTimeout == .seconds(3) && set.idleTimeout == .seconds(4))
        #expect(set.drainTimeout == .seconds(8))
        #expect(set.connectionLimitCount == 5 && set.streamLimitCount == 6 && set.resetLimitCount == 7)
    }
}
