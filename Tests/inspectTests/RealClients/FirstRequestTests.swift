import Foundation
import Support
import Testing

/// How long a person waits from `inspect start` to the first decrypted request, the program being the debug build.
@Suite(.timeLimit(.minutes(2))) struct FirstRequestTests {
    /// What a first request took.
    private struct Took: CustomStringConvertible {
        /// Seconds by the clock.
        let waited: Double
        /// Seconds of the processors, of all programs that had a part in it.
        let worked: Double
        var description: String { "\(waited) s, \(worked) s of them at work" }
    }

    /// Whether other programs want the processors too, so that the clock tells of these.
    private static var isBusy: Bool {
        var loads = [0.0]
        return getloadavg(&loads, 1) == 1 && loads[0] > Double(ProcessInfo.processInfo.activeProcessorCount) / 2
    }

    /// Seconds that children of this process have worked which have ended.
    private static func worked() -> Double {
        var ticks = tms()
        times(&ticks)
        return Double(ticks.tms_cutime + ticks.tms_cstime) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Starts a proxy, asks it by curl that `inspect run` starts, and stops it.
    private func first(_ directory: TemporaryDirectory, _ origin: RecordingOrigin, root: String) async throws -> Took {
        let before = Self.worked()
        let began = ContinuousClock.now
        let proxy = try await RunningInspect.start(in: directory, ["--upstream-ca", root])
        let url = "https://localhost:\(origin.port)/length"
        let ran = try await RunningInspect.run(
            ["run"] + RunningInspect.places(directory) + ["--", "curl", "-sSf", url],
            in: directory
        )
        let waited = (ContinuousClock.now - began) / .seconds(1)
        #expect(ran.status == 0, "\(ran.errors)")
        _ = try await proxy.process.stop()
        return Took(waited: waited, worked: Self.worked() - before)
    }

    @Test("Under a second; under two the first time ever, which makes the root")
    func quick() async throws {
        let authority = try await TestAuthority()
        let origin = try await RecordingOrigin.start(tls: authority.issue(for: ["localhost"]))
        var (firsts, laters) = ([Took](), [Took]())
        for _ in 0..<3 {
            let directory = try TemporaryDirectory()
            firsts.append(try await first(directory, origin, root: authority.rootFile))
            laters.append(try await first(directory, origin, root: authority.rootFile))
            #expect(try await StoredListing.read(in: directory, ["scheme:https code:200"]).matched == 2)
        }
        let isBusy = Self.isBusy
        for (all, limit) in [(firsts, 2.0), (laters, 1.0)] {
            let best = all.map { isBusy ? min($0.waited, $0.worked) : $0.waited }.min() ?? limit
            #expect(best < limit, "\(all)")
            #expect(all.allSatisfy { $0.worked > 0 }, "\(all)")
        }
    }
}
