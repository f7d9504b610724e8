#if os(Linux)
import Glibc

/// Asks the kernel for one TCP socket by its addresses (sock_diag(7)): microseconds, where its table takes milliseconds once there are thousands.
struct SocketInquiry: ~Copyable {
    private let descriptor: Int32

    private static let netlink: Int32 = 16
    private static let diagnosis: Int32 = 4
    private static let byFamily: UInt16 = 20
    private static let questionBytes = 72
    /// Where the user and the inode stand in an answer (struct inet_diag_msg, behind the header of 16 bytes).
    private static let userOffset = 80
    private static let inodeOffset = 84

    /// `nil` where the kernel does not take such questions.
    init?() {
        descriptor = socket(
            SocketInquiry.netlink,
            Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
            SocketInquiry.diagnosis
        )
        guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The client's end of a connection; `nil` when there is none, or the kernel does not say.
    func entry(_ pair: SocketPair) -> SocketTable.Entry? {
        let question = SocketInquiry.question(pair)
        let sent = question.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
        guard sent == question.count else { return nil }
        var answer = [UInt8](repeating: 0, count: 4_096)
        // The kernel answers within the call before.
        let count = answer.withUnsafeMutableBytes {
            recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
        }
        return SocketInquiry.entry(answer.prefix(max(0, count)))
    }

    /// The message that asks (struct nlmsghdr, struct inet_diag_req_v2), numbers in the machine's order, addresses and ports in the network's.
    static func question(_ pair: SocketPair) -> [UInt8] {
        func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
        func bytes(_ number: UInt16) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
        func address(_ end: SocketEnd) -> [UInt8] { end.bytes + Array(repeating: 0, count: 16 - end.bytes.count) }
        let family = UInt8(pair.client.bytes.count == 4 ? AF_INET : AF_INET6)
        let header =
            bytes(UInt32(questionBytes)) + bytes(byFamily) + bytes(UInt16(1)) + bytes(UInt32(1)) + bytes(UInt32(0))
        let ports = bytes(pair.client.port.bigEndian) + bytes(pair.listener.port.bigEndian)
        // Any state, any interface, no cookie.
        return header + [family, UInt8(IPPROTO_TCP), 0, 0] + bytes(UInt32.max) + ports
            + address(pair.client) + address(pair.listener) + bytes(UInt32(0)) + bytes(UInt32.max) + bytes(UInt32.max)
    }

    /// What an answer says; `nil` for an error, and for a socket that no program holds any more.
    static func entry(_ answer: ArraySlice<UInt8>) -> SocketTable.Entry? {
        func number(_ offset: Int) -> UInt32? {
            let bytes = answer.dropFirst(offset).prefix(4)
            return bytes.count == 4 ? bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) } : nil
        }
        let type = answer.dropFirst(4).prefix(2)
        guard type.count == 2, type.withUnsafeBytes({ $0.loadUnaligned(as: UInt16.self) }) == byFamily,
            let user = number(userOffset), let inode = number(inodeOffset), inode > 0
        else { return nil }
        return SocketTable.Entry(inode: UInt64(inode), user: user)
    }
}
#endif
