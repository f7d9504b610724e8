import Foundation
import Support
import Testing

/// How long a person waits from `inspect start` to the first decrypted request, the program being the debug build and the machine whatever it is.
@Suite(.timeLimit(.minutes(2))) struct FirstRequestTests {
    /// The time from starting a proxy until curl, started by `inspect run`, has its answer over HTTPS.
    private func seconds(_ directory: TemporaryDirectory, _ origin: RecordingOrigin, root: String) async throws
        -> Double
    {
        let began = ContinuousClock.now
        let proxy = try await RunningInspect.start(in: directory, ["--upstream-ca", root])
        let ran = try await RunningInspect.run(
            ["run"] + RunningInspect.places(directory) + [
                "--", "curl", "-sSf", "https://localhost:\(origin.port)/length",
            ],
            in: directory
        )
        let took = ContinuousClock.now - began
        #expect(ran.status == 0, "\(ran.errors)")
        _ = try await proxy.process.stop()
        return took / .seconds(1)
    }

    // The best of three is the program's own time; the others have in them what else the machine did.
    @Test("Under a second; under two the first time ever, which makes the root")
    func quick() async throws {
        let authority = try await TestAuthority()
        let origin = try await RecordingOrigin.start(tls: authority.issue(for: ["localhost"]))
        var (first, later) = ([Double](), [Double]())
        for _ in 0..<3 {
            let directory = try TemporaryDirectory()
            first.append(try await seconds(directory, origin, root: authority.rootFile))
            later.append(try await seconds(directory, origin, root: authority.rootFile))
            let rows = try await StoredListing.read(in: directory, ["scheme:https code:200"])
            #expect(rows.matched == 2)
        }
        #expect(first.min() ?? 9 < 2, "\(first)")
        #expect(later.min() ?? 9 < 1, "\(later)")
    }
}
