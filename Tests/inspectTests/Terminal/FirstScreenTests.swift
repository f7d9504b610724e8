import ArgumentParser
import Support
import Testing

@testable import ProgramTests
@testable import inspect

/// What the program prints when it is called without a command.
@Suite(.timeLimit(.minutes(15))) struct FirstScreenTests {
    private static let style = Style(isColoured: false)

    /// The commands that a screen names, without what they are for.
    private static func commands(_ screen: FirstScreen) -> [String] {
        screen.lines(style).compactMap { line in
            line.firstRange(of: "  ").map { String(line[$0.upperBound...].drop { $0 == " " }) }
        }
    }

    @Test("Where nothing is recorded it leads to the proxy with its page, to the demo, and to a first exchange")
    func empty() throws {
        let directory = try TemporaryDirectory()
        let screen = FirstScreen(storePath: directory.file("none.db"))
        #expect(screen.lines(Self.style)[2] == "No proxy runs, and nothing is recorded yet.")
        #expect(
            Self.commands(screen) == [
                "inspect start --open", "inspect demo", "inspect run -- curl https://example.com/", "inspect help",
                "inspect man", "inspect doctor",
            ]
        )
    }

    @Test("Where a store holds exchanges it leads to them")
    func recorded() async throws {
        let store = try ClosedStore()
        try await store.fill([Sample(1), Sample(2, code: 404)])
        let screen = FirstScreen(storePath: store.path)
        #expect(screen.lines(Self.style)[2] == "No proxy runs, and 2 exchanges are recorded.")
        #expect(
            Self.commands(screen).prefix(4) == [
                "inspect start --open", "inspect filter",
                "inspect ls 'code:4xx,5xx or outcome:failed or is:failed-inside'", "inspect show 2",
            ]
        )
    }

    @Test("Beside a running proxy it says where that is, and how a shell goes through it")
    func running() {
        var screen = FirstScreen()
        screen.running = ("127.0.0.1:9090", "http://127.0.0.1:9091/?token=x")
        let lines = screen.lines(Self.style)
        #expect(lines[2] == "A proxy runs on 127.0.0.1:9090, and nothing is recorded yet.")
        #expect(lines[3] == "Its page: http://127.0.0.1:9091/?token=x")
        #expect(Self.commands(screen).contains("eval \"$(inspect env)\""))
        #expect(lines.contains { $0.hasPrefix("Open its page ") && $0.hasSuffix("  inspect start --open") })
    }

    @Test("A store that cannot be read is said, and nothing else is in the way")
    func unreadable() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("no database, but long enough to be taken for one", to: "captures.db")
        let lines = FirstScreen(storePath: path).lines(Self.style)
        #expect(lines[2].hasPrefix("Something is wrong here: ") && lines[2].hasSuffix("."))
        #expect(lines.last?.hasSuffix("inspect doctor") == true)
    }

    @Test("Every command that a screen names is one that the parser takes")
    func commands() throws {
        var recorded = FirstScreen()
        (recorded.count, recorded.newest) = (1, 7)
        for command in Self.commands(FirstScreen()) + Self.commands(recorded) where command.hasPrefix("inspect ") {
            let words = Array(ShellLine.words(command).dropFirst())
            if words != ["help"] { _ = try Inspect.parseAsRoot(words) }
        }
    }
}
