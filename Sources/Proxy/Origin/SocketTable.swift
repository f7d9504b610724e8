/// One of the kernel's tables of TCP sockets, `/proc/net/tcp` or `/proc/net/tcp6`, as text.
struct SocketTable {
    /// A socket of it.
    struct Entry: Equatable {
        /// What the links in `/proc/PID/fd` name it by.
        var inode: UInt64
        /// Who made it.
        var user: UInt32
    }

    /// Its bytes.
    let bytes: [UInt8]
    /// Whether its addresses are those of IPv6.
    let isLong: Bool

    /// The clients' ends of connections, those that it has.
    ///
    /// A line is `sl: local remote state queues timer retransmits user timeout inode …`, addresses of a fixed width.
    func entries(_ pairs: [SocketPair]) -> [SocketPair: Entry] {
        let wanted = pairs.compactMap { pair -> (pair: SocketPair, key: [UInt8])? in
            if isLong { return (pair, Array("\(pair.client.long) \(pair.listener.long) ".utf8)) }
            guard let client = pair.client.short, let listener = pair.listener.short else { return nil }
            return (pair, Array("\(client) \(listener) ".utf8))
        }
        guard !wanted.isEmpty else { return [:] }
        var found: [SocketPair: Entry] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let rest = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
            guard let match = wanted.first(where: { rest.starts(with: $0.key) }) else { continue }
            let words = rest.dropFirst(match.key.count).split(separator: UInt8(ascii: " "))
            guard words.count > 6, let user = UInt32(String(decoding: words[4], as: UTF8.self)),
                let inode = UInt64(String(decoding: words[6], as: UTF8.self)), inode > 0
            else { continue }
            found[match.pair] = Entry(inode: inode, user: user)
            if found.count == wanted.count { break }
        }
        return found
    }
}
