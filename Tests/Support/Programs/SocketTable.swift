import Foundation

/// What the kernel of Linux tells of the connections of this machine, IPv4 alone (proc_net_tcp.txt of its documentation).
package enum SocketTable {
    package struct Row: Sendable {
        /// As in the kernel's `tcp_states.h`, in two hexadecimal digits.
        package var state: Substring
        /// Which timer runs: `00` none, `01` a resend, `02` a question whether the peer is there.
        package var timer: Substring
    }

    /// SYN-SENT.
    package static let dialling = "02"

    /// The connections whose other end has a port, and whose own end has one where it is given; `nil` where the kernel does not say.
    package static func rows(remotePort: Int, localPort: Int? = nil) -> [Row]? {
        guard let file = FileHandle(forReadingAtPath: "/proc/net/tcp") else { return nil }
        var bytes = Data()
        // The kernel gives a page at a time, and says of no size.
        while let piece = try? file.read(upToCount: 64 << 10), !piece.isEmpty { bytes.append(piece) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let columns = line.split(separator: " ")
            guard columns.count > 5, columns[2].hasSuffix(suffix(remotePort)) else { return nil }
            if let localPort, !columns[1].hasSuffix(suffix(localPort)) { return nil }
            return Row(state: columns[3], timer: columns[5].prefix(2))
        }
    }

    private static func suffix(_ port: Int) -> String {
        ":" + String(port + 0x10000, radix: 16, uppercase: true).suffix(4)
    }
}
