#if os(Linux)
import Glibc

/// The open directory of one running program in `/proc`: it stays that program's, even if another gets its number, and is empty once it ended.
///
/// Its files are in the kernel's memory and not on a disk, so reading one takes a microsecond.
final class ProcessFiles: Sendable {
    /// The kernel's name of a program: at most 15 bytes and a line feed.
    struct Comm: Equatable, Sendable {
        fileprivate var bytes: (UInt64, UInt64) = (0, 0)

        static func == (left: Comm, right: Comm) -> Bool { left.bytes == right.bytes }
    }

    /// The directory of its descriptors.
    private let descriptors: Int32
    private let commFile: Int32

    /// Opens the directory; `nil` where the program has ended, or we may not read it.
    init?(id: Int32, root: String) {
        descriptors = open("\(root)/\(id)/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        commFile = open("\(root)/\(id)/comm", O_RDONLY | O_CLOEXEC)
        guard descriptors >= 0, commFile >= 0 else { return nil }
    }

    deinit {
        if descriptors >= 0 { close(descriptors) }
        if commFile >= 0 { close(commFile) }
    }

    /// The program's name now, which changes when it executes another file; `nil` once it has ended.
    func comm() -> Comm? {
        var comm = Comm()
        let count = withUnsafeMutableBytes(of: &comm.bytes) { pread(commFile, $0.baseAddress, $0.count, 0) }
        return count > 0 ? comm : nil
    }

    /// The number of the socket that one of its descriptors is; `nil` where it is no socket.
    func socket(_ number: Int32) -> UInt64? {
        String(number).withCString { ProcessFiles.socket($0, in: descriptors) }
    }

    private static let prefix = Array("socket:[".utf8)

    /// The number of the socket that a link leads to; `nil` where it leads elsewhere.
    static func socket(_ name: UnsafePointer<CChar>, in directory: Int32) -> UInt64? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { target in
            guard let start = target.baseAddress else { return nil }
            let count = readlinkat(directory, name, start, target.count)
            guard count > prefix.count + 1, memcmp(start, prefix, prefix.count) == 0 else { return nil }
            let digits = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(target)[prefix.count..<(count - 1)])
            return UInt64(String(decoding: digits, as: UTF8.self))
        }
    }
}
#endif
