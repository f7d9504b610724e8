import Foundation
import Support
import Testing

/// Bad input is one clear line on standard error and exit 2, and damages nothing.
@Suite struct BadInputTests {
    @Test("A mistake in the command line", arguments: Mistake.usage)
    func commandLine(_ mistake: Mistake) async throws {
        try await expectRefusal(mistake, in: TemporaryDirectory())
    }

    @Test("A place that cannot be used", arguments: Mistake.places)
    func place(_ mistake: Mistake) async throws {
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
            Mistake.start + [
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
