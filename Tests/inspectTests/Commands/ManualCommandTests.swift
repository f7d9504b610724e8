import Foundation
import Support
import Testing

@testable import inspect

/// The manual, as groff reads it.
@Suite(.timeLimit(.minutes(15))) struct ManualCommandTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func run(_ arguments: String...) async throws -> CommandLineTool.Result {
        try await RunningInspect.run(arguments, in: directory)
    }

    @Test("Every command has a page that troff reads without a word, and it names every option")
    func pages() async throws {
        let written = try await run("man", "--output", directory.file("man"))
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.file("man")).sorted()
        #expect(written.status == 0 && written.output == "\(files.count) pages in \(directory.file("man"))\n")
        let pages = ManualPage.all(of: try CommandInformation(of: Inspect.self))
        #expect(files == pages.map { $0.name + ".1" }.sorted() && files.contains("inspect-config-check.1"))
        for page in pages {
            for line in page.troff.split(separator: "\n") where line.hasPrefix(".") {
                let known = line.hasPrefix(".TH ") || line.hasPrefix(".SH ") || line.hasPrefix(".B")
                #expect(
                    known || [".TP", ".PP", ".nf", ".fi", ".nh", ".hy"].contains(line) || line.hasPrefix(".I "),
                    "\(line)"
                )
            }
        }
        let start = try #require(pages.first { $0.name == "inspect-start" })
        let shown = try await groff(start)
        for option in start.command.arguments.filter(\.isShown).flatMap(\.longNames) {
            #expect(shown.contains("--\(option)"), "\(option)")
        }
        #expect(
            shown.contains("Default: 256KiB.") && shown.contains("INSPECT-START(1)") && !shown.contains("--detached")
        )
        for page in pages { #expect(!(try await groff(page)).isEmpty, "\(page.name)") }
    }

    /// The page as text; troff's warnings fail the test.
    private func groff(_ page: ManualPage) async throws -> String {
        let result = try await CommandLineTool.run(
            "groff",
            ["-man", "-Tutf8", "-ww", "-P-cbou", "-rLL=200n"],
            input: Array(page.troff.utf8)
        )
        #expect(result.status == 0 && result.errors.isEmpty, "\(page.name): \(result.errors)")
        return result.output
    }

    @Test("One page is printed for a command; there is none for what is no command")
    func one() async throws {
        let page = try await run("man", "config", "check")
        #expect(page.status == 0 && page.output.hasPrefix(".TH \"INSPECT\\-CONFIG\\-CHECK\" 1 "))
        #expect(try await run("man").output.hasPrefix(".TH \"INSPECT\" 1 "))
        let none = try await run("man", "nonsense")
        #expect(none.status == 2 && none.errors.contains("there is no command 'nonsense'"))
    }
}
