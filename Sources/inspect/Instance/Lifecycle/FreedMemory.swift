import CMalloc
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Gives memory that a burst took and freed back to the system.
///
/// glibc keeps freed memory for the next burst, in an arena for each event loop, and its process seems to need it all: after 100 stalled clients were
/// served it held twice what was in use, and beside long traffic of many kinds it keeps ever more. Darwin's allocator gives it back by itself.
struct FreedMemory {
    /// The growth in bytes below which nothing is given back.
    static let burstBytes = 64 << 20
    /// A burst is over when the process grew by less than this from one look to the next.
    static let stillBytes = 1 << 20
    /// The growth in bytes of what is held and not in use from which on it is given back though traffic goes on.
    static let spareBytes = 8 << 20
    private static let interval = Duration.seconds(2)
    /// Every so many looks it is asked what is in use, for which the allocator walks its lists.
    private static let usedInterval = 15

    /// The fewest bytes that were held since memory was last given back.
    private var leastBytes: Int?
    private var lastBytes = 0
    /// The fewest bytes that were held and not in use since then.
    private var leastSpare: Int?

    #if canImport(Glibc)
    /// Watches the process until the task is cancelled.
    static func watch() async {
        var memory = FreedMemory()
        var looks = 0
        repeat {
            looks += 1
            guard let bytes = heldBytes() else { continue }
            let isOver = memory.isDue(bytes)
            let used = looks % usedInterval == 0 ? Int(malloc_used_bytes()) : 0
            let isSpare = used > 0 && memory.isSpare(bytes - used)
            guard isOver || isSpare else { continue }
            malloc_trim(0)
            let kept = heldBytes() ?? bytes
            memory.gaveBack(kept, spare: used > 0 ? kept - used : nil)
        } while (try? await Task.sleep(for: interval)) != nil
    }
    #endif

    #if os(Linux)
    /// Bytes of this process that are in memory; `nil` where the system does not say.
    static func residentBytes() -> Int? { sizes()?.resident }

    /// Those of them that stand in no file: the allocator's, and stacks.
    static func heldBytes() -> Int? { sizes().map { $0.resident - $0.shared } }

    private static func sizes() -> (resident: Int, shared: Int)? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let pages = text.split(separator: " ").compactMap { Int($0) }
        let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))
        return pages.count > 2 ? (pages[1] * pageBytes, pages[2] * pageBytes) : nil
    }
    #endif

    /// Whether a burst is over, at a look that finds so many bytes resident.
    mutating func isDue(_ bytes: Int) -> Bool {
        defer { lastBytes = bytes }
        let least = min(leastBytes ?? bytes, bytes)
        leastBytes = least
        return bytes - least >= Self.burstBytes && bytes - lastBytes < Self.stillBytes
    }

    /// Whether much more is held and not in use than was before, at a look that finds so many such bytes.
    mutating func isSpare(_ bytes: Int) -> Bool {
        let least = min(leastSpare ?? bytes, bytes)
        leastSpare = least
        return bytes - least >= Self.spareBytes
    }

    /// Notes the bytes that are still held, and those of them that are not in use where that was asked.
    mutating func gaveBack(_ bytes: Int, spare: Int? = nil) {
        leastBytes = bytes
        lastBytes = bytes
        if let spare { leastSpare = spare }
    }
}
