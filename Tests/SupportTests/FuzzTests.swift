import Support
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Whether fuzzing finds what it is there for.
@Suite(.serialized, .timeLimit(.minutes(15)))
struct FuzzTests {
    private static let pieces = ["(", ")", "a", " "]
    private static let limits = Fuzz.Limits(nanoseconds: 5_000_000, bytes: 8 << 20)

    @Test("A parser that is quick and small is taken as such, and reads its corpus first")
    func sound() throws {
        let fuzz = Fuzz("sound-sample", corpus: "sample", pieces: Self.pieces) { _ = $0.contains(41) }
        let outcome = try fuzz.run(rounds: 500)
        #expect(outcome.findings == [])
        #expect(try outcome.executions == 500 + Fuzz.corpus("sample").count)
    }

    @Test("A parser that works on for too long is found out, at once by its corpus")
    func slow() throws {
        let fuzz = Fuzz("slow-sample", corpus: "sample", pieces: Self.pieces, limits: Self.limits) { bytes in
            guard bytes.contains(41) else { return }
            let end = Self.threadTime() + 10_000_000
            while Self.threadTime() < end {}
        }
        let outcome = try fuzz.run(rounds: 0)
        #expect(outcome.findings.count == 1)
        #expect(outcome.findings.first?.hasPrefix("slow-sample: 9 bytes cost ") == true)
    }

    @Test("A parser that takes much memory for little is found out, though the allocator keeps it")
    func large() throws {
        let fuzz = Fuzz("large-sample", corpus: "sample", pieces: Self.pieces, limits: Self.limits) { bytes in
            guard bytes.contains(41) else { return }
            // Written to, since memory that nobody touches is nowhere.
            let pages = [UInt8](repeating: 7, count: 16 << 20)
            withExtendedLifetime(pages) {}
        }
        #expect(try fuzz.run(rounds: 0).findings.count == 1)
    }

    /// Nanoseconds that this thread has used.
    private static func threadTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
