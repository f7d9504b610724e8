import Foundation
import Support

/// Python programs beside the tests (`Tests/ProxyTests/Peers`) that play clients and origins and print JSON of what they saw.
enum PythonPeer {
    /// Runs a program to its end.
    ///
    /// - Throws: `CommandLineTool.Missing` when the tests' Python is not there; `Failed` when the program fails.
    static func run<Seen: Decodable>(_ program: String, _ arguments: [String]) async throws -> Seen {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let python = tests.deletingLastPathComponent().deletingLastPathComponent().appending(
            path: ".build/venv/bin/python"
        )
        let script = tests.appending(path: "Peers/\(program)").path
        let result = try await CommandLineTool.run(
            python.path,
            [script] + arguments,
            environment: ["PATIENCE": "\(Patience.factor)"]
        )
        guard result.status == 0 else { throw Failed(program: program, reason: result.errors) }
        return try JSONDecoder().decode(Seen.self, from: Data(result.outputBytes))
    }

    /// The program did not come to its end.
    struct Failed: Error, CustomStringConvertible {
        let program: String
        let reason: String
        var description: String { "\(program) in .build/venv (the README's test command makes it): \(reason)" }
    }
}
