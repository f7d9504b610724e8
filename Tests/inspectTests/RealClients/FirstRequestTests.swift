import Foundation
import Support
import Testing

/// How long a person waits from `inspect start` to the first decrypted request, beside the shortest thing that the program does.
///
/// Promised is a second, and two the first time ever, of a release build; how long a debug build takes depends on the machine.
@Suite(.timeLimit(.minutes(2))) struct FirstRequestTests {
    /// Starts a proxy, asks it by curl that `inspect run` starts, and stops it; how long it took.
    private func first(_ directory: TemporaryDirectory, _ origin: RecordingOrigin, root: String) async throws
        -> Duration
    {
        let began = ContinuousClock.now
        let proxy = try await RunningInspect.start(in: directory, ["--upstream-ca", root])
        let url = "https://localhost:\(origin.port)/length"
        let ran = try await RunningInspect.run(
            ["run"] + RunningInspect.places(directory) + ["--", "curl", "-sSf", url],
            in: directory
        )
        let took = ContinuousClock.now - began
        #expect(ran.status == 0, "\(ran.errors)")
        _ = try await proxy.process.stop()
        return took
    }

    @Test("The first request is decrypted soon, the first time ever too, which makes the root")
    func quick() async throws {
        let authority = try await TestAuthority()
        let origin = try await RecordingOrigin.start(tls: authority.issue(for: ["localhost"]))
        var (firsts, laters, shortest) = ([Duration](), [Duration](), [Duration]())
        for _ in 0..<3 {
            let directory = try TemporaryDirectory()
            firsts.append(try await first(directory, origin, root: authority.rootFile))
            laters.append(try await first(directory, origin, root: authority.rootFile))
            let began = ContinuousClock.now
            #expect(try await RunningInspect.run(["--version"], in: directory).status == 0)
            shortest.append(ContinuousClock.now - began)
            #expect(try await StoredListing.read(in: directory, ["scheme:https code:200"]).matched == 2)
        }
        print("first requests: \(firsts), later: \(laters), beside \(shortest)")
        let short = try #require(shortest.min())
        for all in [firsts, laters] {
            let best = try #require(all.min())
            #expect(best < short * 100, "\(all), beside \(shortest)")
        }
    }
}
