import Support
import Testing

@testable import ProgramTests
@testable import inspect

/// What is wrong with a command line is one line that says so.
@Suite(.timeLimit(.minutes(15))) struct ArgumentErrorTests {
    /// What the program would end with, by the steps of its `main` and without a process; nil for a command line that can be run.
    private static func failure(_ arguments: [String]) -> CommandFailure? {
        do {
            _ = try Inspect.command(arguments, environment: ["HOME": HermeticEnvironment.home])
            return nil
        } catch {
            return CommandFailure(error, arguments: ["inspect"] + arguments)
        }
    }

    @Test("A mistake in the command line", arguments: ArgumentMistake.usage)
    func explains(_ mistake: ArgumentMistake) throws {
        let failure = try #require(Self.failure(mistake.arguments), "it is taken")
        #expect(failure.status == 2 && failure.text == nil)
        let line = try #require(failure.line)
        #expect(line.hasPrefix("inspect: ") && line.lowercased().contains(mistake.says.lowercased()), "\(line)")
        #expect(!line.contains("\n") && !line.contains("\u{1B}") && !line.contains("Error"), "\(line)")
    }

    @Test(
        "A mistake points at the page that has the options: that of the default sub-command where no other is named",
        arguments: [
            (["facilities", "--no-such-option"], "facilities list"), (["menus", "--no-such-option"], "menus list"),
            (["facilities", "x", "--open-now"], "facilities list"), (["store", "--no-such-option"], "store show"),
            (["facilities", "alerts", "--no-such-option"], "facilities alerts"), (["ls", "--no-such-option"], "ls"),
            (["store", "shwo"], "store"), (["mark", "note", "7"], "mark note"),
        ]
    )
    func points(_ arguments: [String], _ page: String) throws {
        let line = try #require(Self.failure(arguments)?.line, "it is taken")
        #expect(line.hasSuffix(" (see 'inspect help \(page)')"), "\(line)")
    }

    @Test("One of each kind, by the program itself", arguments: ArgumentMistake.kinds)
    func ends(_ arguments: [String]) async throws {
        let result = try await CommandLineTool.run(try Executable.inspect(), arguments)
        let failure = try #require(Self.failure(arguments))
        #expect(result.status == 2 && result.status == failure.status)
        #expect(result.output.isEmpty && failure.text == nil)
        let line = try #require(failure.line)
        #expect(result.errors == line + "\n")
    }

    @Test(
        "Help and version go to standard output with status 0",
        arguments: [["--help"], ["--version"], ["help", "filter"], ["ls", "--help"], []]
    )
    func helps(_ arguments: [String]) async throws {
        let result = try await CommandLineTool.run(try Executable.inspect(), arguments)
        #expect(result.status == 0)
        #expect(!result.output.isEmpty)
        #expect(result.errors.isEmpty)
    }
}
