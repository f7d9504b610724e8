#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One of the kernel's tables of TCP sockets, `/proc/net/tcp` or `/proc/net/tcp6`, as text.
struct SocketTable {
    /// A socket of the table.
    struct Entry: Equatable {
        /// The socket's number in the links of `/proc/PID/fd`.
        var inode: UInt64
        /// The user who made it.
        var user: UInt32
    }

    /// Bytes of a line after its addresses that are read.
    private static let restLimitBytes = 160

    /// The table's bytes.
    let bytes: ArraySlice<UInt8>
    /// Whether the addresses are IPv6 addresses.
    let isLong: Bool

    /// The clients' ends of those connections that the table has.
    ///
    /// A line is `sl: local remote state queues timer retransmits user timeout inode …`; both addresses together find it.
    func entries(_ pairs: [SocketPair]) -> [SocketPair: Entry] {
        var found: [SocketPair: Entry] = [:]
        for pair in pairs {
            guard let key = key(of: pair), let place = SocketTable.place(of: key, in: bytes) else { continue }
            let line = bytes[(place + key.count)...].prefix(SocketTable.restLimitBytes)
            let words = line.prefix { $0 != UInt8(ascii: "\n") }.split(separator: UInt8(ascii: " "))
            guard words.count > 6, let user = UInt32(String(decoding: words[4], as: UTF8.self)),
                let inode = UInt64(String(decoding: words[6], as: UTF8.self)), inode > 0
            else { continue }
            found[pair] = Entry(inode: inode, user: user)
        }
        return found
    }

    /// Both addresses as they stand in a line; `nil` for addresses that this table cannot have.
    private func key(of pair: SocketPair) -> [UInt8]? {
        if isLong { return Array(": \(pair.client.long) \(pair.listener.long) ".utf8) }
        guard let client = pair.client.short, let listener = pair.listener.short else { return nil }
        return Array(": \(client) \(listener) ".utf8)
    }

    /// The position of a key, which begins with a colon, in some bytes; `nil` where it is not in them.
    private static func place(of key: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        let distance = bytes.withUnsafeBytes { all -> Int? in
            guard let start = all.baseAddress else { return nil }
            var place = 0
            // The first colon of each line stands before its addresses.
            while place + key.count <= all.count,
                let colon = memchr(start + place, Int32(UInt8(ascii: ":")), all.count - key.count - place + 1)
            {
                if memcmp(colon, key, key.count) == 0 { return UnsafeRawPointer(colon) - start }
                let here = UnsafeRawPointer(colon) - start
                guard let end = memchr(colon, Int32(UInt8(ascii: "\n")), all.count - here) else { return nil }
                place = UnsafeRawPointer(end) - start + 1
            }
            return nil
        }
        return distance.map { bytes.startIndex + $0 }
    }
}
