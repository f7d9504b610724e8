import Foundation
import Support
import Testing

@testable import ProgramTests

/// What is promised of a release, built here as the README builds one; a build alone takes ten minutes on two cores.
@Suite(.serialized, .timeLimit(.minutes(60))) struct InstallTests {
    /// How long a person waits for the first request, the first time ever and later.
    private static let promised = (first: Duration.seconds(2), later: Duration.seconds(1))
    /// How long a newcomer waits from the first command to a decrypted request on the page.
    private static let firstMinute = Duration.seconds(3)

    @Test(
        "A release needs no Swift where it runs, and its first request is decrypted in a second, the first time ever in two"
    )
    func release() async throws {
        #expect(try Readme.block(after: "the install command").hasPrefix("swift build -c release && "))
        // Beside what a person has built, and not in the tests' own folder, which may be in use.
        let scratch = Readme.root.appending(path: ".build/long").path
        let build = ["build", "-c", "release", "--product", "inspect", "--package-path", Readme.root.path]
        let built = try await CommandLineTool.run(
            "swift",
            build + ["--scratch-path", scratch],
            within: .seconds(1_800)
        )
        let program = scratch + "/release/inspect"
        try #require(built.status == 0, "\(built.output.suffix(3_000))\(built.errors.suffix(3_000))")

        #if os(Linux)
        let needed = try await CommandLineTool.run("ldd", [program])
        #expect(needed.status == 0 && needed.output.contains("libc.so"), "\(needed.errors)")
        for name in ["libswift", "libFoundation", "libdispatch", "libBlocksRuntime", "not found"] {
            #expect(!needed.output.contains(name), "\(needed.output)")
        }
        #endif

        var (firsts, laters) = ([Duration](), [Duration]())
        for _ in 0..<3 {
            let directory = try TemporaryDirectory()
            firsts.append(try await FirstRequest(in: directory, by: program).took)
            laters.append(try await FirstRequest(in: directory, by: program).took)
        }
        print("first requests ever: \(firsts), of the next start: \(laters)")
        #expect(try #require(firsts.min()) < Self.promised.first)
        #expect(try #require(laters.min()) < Self.promised.later)

        var minutes: [Duration] = []
        for _ in 0..<3 { minutes.append(try await FirstMinute(by: program).took) }
        print("first minutes: \(minutes)")
        #expect(try #require(minutes.min()) < Self.firstMinute)
    }
}
