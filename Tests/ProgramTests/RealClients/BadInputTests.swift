import Foundation
import Support
import Testing

/// A place that cannot be used is one clear line on standard error and exit 2, and nothing is damaged.
@Suite(.timeLimit(.minutes(15))) struct BadInputTests {
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
        let before = try Self.contents(directory)
        var arguments = mistake.arguments.map(located)
        let takesPlaces = ["start", "ls", "filter", "show", "export"].contains(arguments[0])
        if takesPlaces, !arguments.contains("--store") { arguments += ["--store", directory.file("unused.db")] }
        if arguments[0] == "start", !arguments.contains("--ca-directory") {
            arguments += ["--ca-directory", directory.file("new-ca")]
        }
        let result = try await RunningInspect.run(arguments, in: directory)
        expectOneLine(result, saying: located(mistake.says))
        // What was there is as it was; a root or a store of its own may have been made beside it.
        let after = try Self.contents(directory)
        for (name, kept) in before { #expect(after[name] == kept, "\(name) was changed") }
    }

    private func expectOneLine(_ result: CommandLineTool.Result, saying word: String) {
        #expect(result.status == 2, "\(result.output)\(result.errors)")
        #expect(result.output == "")
        #expect(result.errors.hasSuffix("\n") && result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        #expect(result.errors.hasPrefix("inspect: "), "\(result.errors)")
        #expect(result.errors.lowercased().contains(word.lowercased()), "\(result.errors)")
        #expect(!result.errors.contains("Error Domain") && !result.errors.contains("error("), "\(result.errors)")
    }

    /// What is in a file, and who may use it.
    private struct Kept: Equatable {
        let bytes: Data
        let mode: Int
    }

    /// Every file under a directory, but for those that only say who is at work.
    private static func contents(_ directory: TemporaryDirectory) throws -> [String: Kept] {
        let files = FileManager.default
        var all: [String: Kept] = [:]
        for name in try files.subpathsOfDirectory(atPath: directory.path) where !name.hasSuffix(".lock") {
            let facts = try files.attributesOfItem(atPath: directory.file(name))
            guard facts[.type] as? FileAttributeType == .typeRegular else { continue }
            let mode = try #require(facts[.posixPermissions] as? Int)
            all[name] = Kept(bytes: Data(try directory.read(name)), mode: mode)
        }
        return all
    }
}
