import CMalloc
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Gives memory that a burst took and freed back to the system.
///
/// glibc keeps freed memory for the next burst, in an arena for each event loop, and its process seems to need it all: after 100 stalled clients were
/// served it held twice what was in use. Darwin's allocator gives it back by itself.
struct FreedMemory {
    /// The growth in bytes below which nothing is given back.
    static let burstBytes = 64 << 20
    /// A burst is over when the process grew by less than this from one look to the next.
    static let stillBytes = 1 << 20
    private static let interval = Duration.seconds(2)

    /// The fewest bytes that were held since memory was last given back.
    private var leastBytes: Int?
    private var lastBytes = 0

    #if canImport(Glibc)
    /// Watches the process until the task is cancelled.
    static func watch() async {
        var memory = FreedMemory()
        repeat {
            guard let bytes = residentBytes(), memory.isDue(bytes) else { continue }
            malloc_trim(0)
            memory.gaveBack(residentBytes() ?? bytes)
        } while (try? await Task.sleep(for: interval)) != nil
    }
    #endif

    #if os(Linux)
    /// Bytes of this process that are in memory; `nil` where the system does not say.
    static func residentBytes() -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
    }
    #endif

    /// Whether a burst is over, at a look that finds so many bytes resident.
    mutating func isDue(_ bytes: Int) -> Bool {
        defer { lastBytes = bytes }
        let least = min(leastBytes ?? bytes, bytes)
        leastBytes = least
        return bytes - least >= Self.burstBytes && bytes - lastBytes < Self.stillBytes
    }

    /// Notes the bytes that are still held, which are in use.
    mutating func gaveBack(_ bytes: Int) {
        leastBytes = bytes
        lastBytes = bytes
    }
}
