import ArgumentParser
import Testing

@testable import inspect

@Suite("The command line of the check of a HAR file", .timeLimit(.minutes(15)))
struct HARCheckCommandTests {
    @Test("-o and --output name the file that --repair writes", arguments: ["-o", "--output"])
    func namesTarget(option: String) throws {
        let command = try HARCheckCommand.parse(["in.har", "--repair", option, "out.har"])
        #expect(command.file == "in.har" && command.repair && command.target == "out.har")
    }

    @Test(
        "Where nothing is repaired, or the file has no name, the missing option is said by its name",
        arguments: [
            (["in.har", "-o", "out.har"], "-o names the file that --repair writes; add --repair"),
            (["-", "--repair"], "--repair of standard input needs -o FILE"),
        ]
    )
    func refuses(arguments: [String], words: String) throws {
        let error = try #require(throws: (any Error).self) { try HARCheckCommand.parse(arguments) }
        #expect(HARCheckCommand.message(for: error) == words)
    }
}
