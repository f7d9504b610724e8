import Foundation
import Support
import Testing

/// `Tests/Soak/run`, which leaves the built `inspect` under mixed traffic.
@Suite(.timeLimit(.minutes(15))) struct SoakTests {
    @Test("Two seconds of mixed traffic are recorded as their clients saw them")
    func short() async throws { try await Self.soak(minutes: 0.03) }

    /// Soaks for so many minutes; each of its faults is an issue.
    static func soak(minutes: Double, _ more: [String] = []) async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let result = try await CommandLineTool.run(
            root.appending(path: ".build/venv/bin/python").path,
            [
                root.appending(path: "Tests/Soak/run").path, "--minutes", "\(minutes)", "--program",
                try Executable.inspect(),
            ] + more,
            environment: ["INSPECT_PATIENCE": "\(Patience.factor)"],
            within: .seconds(120 + Int(minutes * 60))
        )
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }
}
