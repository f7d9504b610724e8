import Foundation
import Support
import Testing

/// The demonstration, run once as a newcomer runs it, for all tests of a suite that look at what it said and left.
struct DemoRun: Sendable {
    /// What `.demo` ran for the suite whose test this is.
    @TaskLocal static var current: DemoRun?

    /// Its home, in which the other commands find its store where tests have theirs.
    let directory: TemporaryDirectory
    /// How it ended, and what it said.
    let result: CommandLineTool.Result

    /// Runs it, once for the suite.
    struct Trait: SuiteTrait, TestScoping {
        func provideScope(for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void)
            async throws
        {
            let directory = try TemporaryDirectory()
            let result = try await RunningInspect.run(["demo", "--once"], in: directory, within: .seconds(120))
            try FileManager.default.createSymbolicLink(
                atPath: RunningInspect.store(directory),
                withDestinationPath: directory.file("data/inspect/demo.db")
            )
            try await DemoRun.$current.withValue(DemoRun(directory: directory, result: result)) { try await body() }
        }
    }

    /// What the suite's one run said and left.
    ///
    /// - Throws: where the suite lacks the trait.
    static func ended() throws -> DemoRun { try #require(current, "the suite has no trait .demo") }
}

extension Trait where Self == DemoRun.Trait {
    /// Has the suite's tests find the demonstration run.
    static var demo: DemoRun.Trait { DemoRun.Trait() }
}
