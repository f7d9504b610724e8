import Foundation
import Support
import Testing

@testable import ProgramTests
@testable import inspect

/// `inspect browser` with real browsers, from a clean home.
@Suite("Browsers opened by inspect", .timeLimit(.minutes(15)))
struct BrowserCommandTests {
    @Test("Chromium and Firefox are captured and decrypted, loopback too, and leave nothing in the home")
    func captured() async throws {
        let directory = try TemporaryDirectory()
        let host = "origin.example.test"
        let programs = [
            ("chromium", "$BROWSER chromium -- --headless --dump-dom https://\(host)/chromium | grep -q hello"),
            ("chromium-local", "$BROWSER chromium -- --headless --dump-dom http://localhost:8000/chromium-local"),
            ("firefox", "$BROWSER firefox -- --headless --screenshot $DIR/firefox.png https://\(host)/firefox"),
            (
                "firefox-local",
                "$BROWSER firefox -- --headless --screenshot $DIR/local.png http://localhost:8000/firefox-local"
            ),
            (
                "home",
                "find $HOME -mindepth 1 -not -name Downloads | grep . && exit 1; find $TMPDIR -maxdepth 1 -name \"inspect-browser-*\" | grep . && exit 1; exit 0"
            ),
        ].map { ClientScenario.Program(name: $0.0, command: $0.1) }
        let scenario = try await ClientScenario(programs, hosts: [host], in: directory)
        let all = try await scenario.rows()
        let others = Set(all.map(\.host)).subtracting([host, "localhost"])
        #expect(others.isEmpty, "A browser asked for something by itself")
        for program in programs { #expect(scenario.exits(program.name, with: 0), "\(scenario.story(program.name))") }
        for name in programs.map(\.name) where name != "home" {
            let rows = all.filter { $0.target == "/\(name)" }
            #expect(!rows.isEmpty, "\(name) was not recorded: \(scenario.story(name))")
            let (scheme, place) = name.hasSuffix("-local") ? ("http", "localhost") : ("https", host)
            for row in rows { #expect(row.scheme == scheme && row.host == place && row.code == 200, "\(row)") }
        }
    }

    @Test("A browser that is not on this machine is named, with what installs it")
    func missing() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("empty"), withIntermediateDirectories: false)
        let program = try Executable.inspect()
        for (words, said) in [
            (
                ["browser", "firefox"],
                "there is no firefox on this machine; install it, for example: sudo apt install firefox-esr"
            ),
            (["browser"], "there is neither Chromium nor Firefox on this machine"),
        ] {
            let ended = try await CommandLineTool.run(
                program,
                words + RunningInspect.places(directory),
                environment: ["PATH": directory.file("empty"), "HOME": directory.path]
            )
            #expect(ended.status == 2)
            #expect(ended.errors.contains(said), "\(ended.errors)")
        }
    }

    #if !canImport(Darwin)
    @Test("Without a display a browser is not opened, unless it needs none, and a line says what to do")
    func display() async throws {
        for words in [["--headless"], ["--headless=new", "x"], ["-headless"], ["--screenshot", "x.png"]] {
            #expect(!Screen.isNeeded(by: words, [:]), "\(words)")
        }
        #expect(!Screen.isNeeded(by: [], ["MOZ_HEADLESS": "1"]) && Screen.isNeeded(by: ["https://headless.test/"], [:]))
        #expect(Screen.isThere(["DISPLAY": ":0"]) && Screen.isThere(["WAYLAND_DISPLAY": "wayland-0"]))
        #expect(!Screen.isThere(["DISPLAY": ""]))
        let directory = try TemporaryDirectory()
        let file = try directory.write("#!/bin/sh\n", to: "firefox-esr")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        let ended = try await RunningInspect.run(
            ["browser", "firefox"] + RunningInspect.places(directory),
            in: directory,
            environment: ["PATH": directory.path]
        )
        let said = "inspect: there is no display here for firefox; log in with 'ssh -X', or do without windows: "
        #expect(ended.status == 2 && ended.errors.hasPrefix(said), "\(ended.errors)")
        #expect(ended.errors.filter { $0 == "\n" }.count == 1)
    }
    #endif

    @Test("Run tells of a browser what it cannot do for it, and has Chromium take the proxy for loopback too")
    func adapted() async throws {
        let directory = try TemporaryDirectory()
        // Stand-ins that say what they are called with.
        for name in ["chromium", "firefox", "curl"] {
            let file = try directory.write("#!/bin/sh\necho \"$@\"\n", to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        }
        func run(_ words: String...) async throws -> (said: String, told: Bool) {
            let words = [directory.file(words[0])] + words.dropFirst()
            let ran = try await RunningInspect.run(
                ["run"] + RunningInspect.places(directory) + ["--"] + words,
                in: directory
            )
            #expect(ran.status == 0, "\(ran.errors)")
            return (ran.output, ran.errors.contains("trusts only what its own certificate database holds"))
        }
        let chromium = try await run("chromium", "x")
        let words = /--proxy-server=http:\/\/127\.0\.0\.1:\d+ --proxy-bypass-list=<-loopback> x\n/
        #expect(chromium.said.wholeMatch(of: words) != nil && chromium.told, "\(chromium)")
        #expect(try await run("firefox", "x") == ("x\n", true))
        #expect(try await run("curl", "firefox") == ("firefox\n", false))
    }

    @Test("A browser in another home finds what lets it onto the screen, and no proxy but ours")
    func home() throws {
        let directory = try TemporaryDirectory()
        let given = ["HOME": directory.path, "https_proxy": "http://other.test", "XDG_DATA_HOME": "/data", "LANG": "C"]
        #expect(BrowserProfile.variables(given, home: "/new") == ["HOME": "/new", "LANG": "C"])
        let key = try directory.write("", to: ".Xauthority")
        #expect(BrowserProfile.variables(given, home: "/new")["XAUTHORITY"] == key)
        let named = given.merging(["XAUTHORITY": "/run/key"]) { _, new in new }
        #expect(BrowserProfile.variables(named, home: "/new")["XAUTHORITY"] == "/run/key")
    }
}
