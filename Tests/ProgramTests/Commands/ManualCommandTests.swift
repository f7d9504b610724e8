import Foundation
import Support
import Testing

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
        #expect(files.contains("inspect.1") && files.contains("inspect-config-check.1") && files.count > 40)
        for file in files {
            let text = String(decoding: try directory.read("man/\(file)"), as: UTF8.self)
            for line in text.split(separator: "\n") where line.hasPrefix(".") {
                let known = line.hasPrefix(".TH ") || line.hasPrefix(".SH ") || line.hasPrefix(".B")
                #expect(
                    known || [".TP", ".PP", ".nf", ".fi", ".nh", ".hy"].contains(line) || line.hasPrefix(".I "),
                    "\(line)"
                )
            }
        }
        let start = try await groff("inspect-start.1")
        let help = try await run("help", "start").output
        let options = help.split(separator: "\n").flatMap { line -> [Substring] in
            // Options begin their line; those named in sentences are further in.
            guard line.prefix(while: { $0 == " " }).count <= 3 else { return [] }
            return line.split(separator: "  ").first?.matches(of: /--[a-z][a-z0-9-]*/).map(\.output) ?? []
        }
        #expect(options.contains("--header-limit") && options.count > 40, "\(help)")
        for option in options { #expect(start.contains(option), "\(option)") }
        #expect(
            start.contains("Default: 256KiB.") && start.contains("INSPECT-START(1)") && !start.contains("--detached")
        )
        for file in files { #expect(!(try await groff(file)).isEmpty, "\(file)") }
    }

    /// The page as text; troff's warnings fail the test.
    private func groff(_ file: String) async throws -> String {
        let result = try await CommandLineTool.run(
            "groff",
            ["-man", "-Tutf8", "-ww", "-P-cbou", "-rLL=200n", directory.file("man/\(file)")]
        )
        #expect(result.status == 0 && result.errors.isEmpty, "\(file): \(result.errors)")
        return result.output
    }

    @Test("One page is printed for a command; a word that names nothing is refused")
    func one() async throws {
        let page = try await run("man", "config", "check")
        #expect(page.status == 0 && page.output.hasPrefix(".TH \"INSPECT\\-CONFIG\\-CHECK\" 1 "))
        #expect(try await run("man", "inspect").output.hasPrefix(".TH \"INSPECT\" 1 "))
        let none = try await run("man", "nonsense")
        #expect(none.status == 2 && none.errors.contains("there is no article and no command 'nonsense'"))
        #expect(try await run("man", "querys").errors.contains("did you mean 'queries'?"))
    }

    @Test("The articles are listed, and one is printed by its name")
    func articles() async throws {
        let list = try await run("man")
        #expect(list.status == 0 && list.output.contains("\n  queries ") && list.output.contains("inspect man start"))
        let queries = try await run("man", "queries")
        #expect(queries.status == 0 && queries.output.hasPrefix("QUERIES\n\nThe same query text"))
    }
}
