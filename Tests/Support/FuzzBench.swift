import Foundation

#if canImport(Darwin)
import Darwin
#else
import CMalloc
import Glibc
#endif

/// Has one parser read inputs, says what each costs, and keeps in `.build/fuzz` what it is reading and what it took badly.
struct FuzzBench: Sendable {
    private let fuzz: Fuzz
    private let place: URL
    private let reading: FileHandle

    init(_ fuzz: Fuzz) throws {
        self.fuzz = fuzz
        let folder = Fuzz.checkout.appending(path: ".build/fuzz")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        place = folder.appending(path: fuzz.name)
        try Data().write(to: place)
        reading = try FileHandle(forWritingTo: place)
        FuzzBench.keepLittle()
        FuzzBench.giveBack()
        FuzzBench.forgetPeak()
    }

    /// Reads an input; `finding` is a sentence where it costs too much each time.
    func read(_ input: [UInt8]) throws -> (nanoseconds: UInt64, finding: String?) {
        try reading.truncate(atOffset: 0)
        try reading.write(contentsOf: input)
        let cost = measured(input)
        guard isTooHigh(cost) else { return (cost.nanoseconds, nil) }
        // Not what another thread did meanwhile, and not what is done only once.
        var least = cost
        for _ in 0..<3 {
            let again = measured(input)
            guard isTooHigh(again) else { return (cost.nanoseconds, nil) }
            least = (min(least.nanoseconds, again.nanoseconds), min(least.bytes, again.bytes))
        }
        let kept = "\(place.path)-bad-\(UInt32.random(in: 0...UInt32.max))"
        try Data(input).write(to: URL(filePath: kept))
        let words = "\(input.count) bytes cost \(least.nanoseconds / 1_000_000) ms and \(least.bytes >> 20) MB"
        return (least.nanoseconds, "\(fuzz.name): \(words); put \(kept) into Tests/Corpus/\(fuzz.corpusName)")
    }

    private typealias Cost = (nanoseconds: UInt64, bytes: Int)

    private func isTooHigh(_ cost: Cost) -> Bool {
        cost.nanoseconds > fuzz.limits.nanoseconds || cost.bytes > fuzz.limits.bytes
    }

    private func measured(_ input: [UInt8]) -> Cost {
        let before = FuzzBench.peakBytes()
        let began = FuzzBench.threadTime()
        try? fuzz.parse(input)
        let ended = FuzzBench.threadTime()
        let after = FuzzBench.peakBytes()
        // A peak would hide the next one, and so would what the allocator keeps of it.
        if after - before > fuzz.limits.bytes / 8 { FuzzBench.giveBack() }
        if after > before { FuzzBench.forgetPeak() }
        return (ended - began, after - before)
    }

    /// Nanoseconds that this thread has used.
    private static func threadTime() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The most memory that this process had since `forgetPeak`, or ever.
    private static func peakBytes() -> Int {
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        return Int(usage.ru_maxrss)
        #else
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return Int(usage.ru_maxrss) << 10
        #endif
    }

    /// Has Linux's allocator keep no more than a megabyte of what is freed: what it keeps for a thread would hide what is taken next.
    private static func keepLittle() {
        #if !canImport(Darwin)
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
        mallopt(M_TRIM_THRESHOLD, 1 << 20)
        #endif
    }

    /// Gives the memory that is free back to the kernel; only Linux's allocator keeps much.
    private static func giveBack() {
        #if !canImport(Darwin)
        // A thread's own part of it is trimmed when something of some size is freed.
        free(malloc(256 << 10))
        malloc_trim(0)
        #endif
    }

    /// Has the kernel count the peak from now on; only Linux can.
    private static func forgetPeak() {
        let file = open("/proc/self/clear_refs", O_WRONLY)
        guard file >= 0 else { return }
        _ = write(file, "5", 1)
        close(file)
    }
}
