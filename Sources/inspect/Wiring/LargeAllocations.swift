#if os(Linux)
import CMalloc
#endif

/// What becomes of memory that large pieces of bodies were in.
enum LargeAllocations {
    /// A piece from here on has its own pages: half of what the record gathers of a body before it hands it on.
    private static let leastBytes: Int32 = 128 << 10

    /// Has the system take large pieces back as soon as they are free, for the whole process.
    ///
    /// glibc raises the size from which it does so whenever such a piece is freed, and then keeps those of a burst for good: 100 clients that stall in large
    /// responses cost 130 MB without this, 42 MB with it.
    static func returnWhenFreed() {
        #if os(Linux)
        mallopt(M_MMAP_THRESHOLD, leastBytes)
        #endif
    }
}
