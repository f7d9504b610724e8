#if canImport(Glibc)
import Glibc
#endif

/// A program that may hold clients' sockets, and where among its descriptors they were before: a connection gets the lowest free number, so the
/// next ones are mostly there again.
///
/// Reads files, so never on an event loop.
struct SocketHolder: Sendable {
    /// Numbers that are remembered.
    static let descriptorLimitCount = 128

    /// The program's number.
    let id: Int32
    /// The descriptors that were sockets looked for, those looked at last at the end: they mostly hold the same still.
    private(set) var descriptors: [Int32] = []

    init(id: Int32) { self.id = id }

    #if os(Linux)
    private static let prefix = Array("socket:[".utf8)

    /// The wanted sockets among its descriptors.
    ///
    /// - Parameters:
    ///   - wanted: their inodes.
    ///   - root: where `/proc` is.
    /// - Returns: those that it has now.
    mutating func held(of wanted: Set<UInt64>, root: String) -> Set<UInt64> {
        guard let directory = opendir("\(root)/\(id)/fd") else { return [] }
        defer { closedir(directory) }
        let place = dirfd(directory)
        var held: Set<UInt64> = []
        var looked = 0
        for number in descriptors where held.count < wanted.count {
            looked += 1
            let inode = "\(number)".withCString { SocketHolder.inode($0, in: place) }
            if let inode, wanted.contains(inode) { held.insert(inode) }
        }
        descriptors = Array(descriptors[looked...] + descriptors[..<looked])
        while held.count < wanted.count, let entry = readdir(directory) {
            withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    guard let inode = SocketHolder.inode(name, in: place), wanted.contains(inode),
                        held.insert(inode).inserted, let number = Int32(String(cString: name))
                    else { return }
                    descriptors.append(number)
                }
            }
        }
        descriptors.removeFirst(max(0, descriptors.count - SocketHolder.descriptorLimitCount))
        return held
    }

    /// The number of the socket that a link leads to; `nil` where it leads elsewhere or is none.
    private static func inode(_ name: UnsafePointer<CChar>, in directory: Int32) -> UInt64? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { target in
            guard let start = target.baseAddress else { return nil }
            let count = readlinkat(directory, name, start, target.count)
            guard count > prefix.count + 1, memcmp(start, prefix, prefix.count) == 0 else { return nil }
            let digits = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(target)[prefix.count..<(count - 1)])
            return UInt64(String(decoding: digits, as: UTF8.self))
        }
    }
    #endif
}
