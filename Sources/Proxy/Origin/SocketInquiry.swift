#if os(Linux)
import Glibc

/// Asks the kernel for one TCP socket by its addresses (sock_diag(7)): microseconds, where its table takes milliseconds once there are thousands.
///
/// One question at a time.
final class SocketInquiry: Sendable {
    /// What the kernel says of a connection.
    enum Answer: Equatable {
        case held(SocketTable.Entry)
        /// No program holds its client's end, or not any more.
        case unheld
        /// It does not take the question: its tables may know.
        case unanswered
    }

    private let descriptor: Int32

    private static let netlink: Int32 = 16
    private static let diagnosis: Int32 = 4
    private static let byFamily: UInt16 = 20
    /// The type of an error's message, behind whose header its number stands, negative.
    private static let error: UInt16 = 2
    private static let errorOffset = 16
    private static let questionBytes = 72
    /// Where the user and the inode stand in an answer (struct inet_diag_msg, behind the header of 16 bytes).
    private static let userOffset = 80
    private static let inodeOffset = 84
    /// Where the number stands that an answer has of its question.
    private static let numberOffsets = 8..<12

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

    /// Asks for the client's end of a connection.
    func answer(_ pair: SocketPair) -> Answer {
        let question = SocketInquiry.question(pair)
        let sent = question.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
        guard sent == question.count else { return .unanswered }
        var answer = [UInt8](repeating: 0, count: 4_096)
        // The kernel answers within the call before; what was left of another question is passed over.
        while case let count = answer.withUnsafeMutableBytes({
            recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
        }), count > 0 {
            let isOurs = answer[SocketInquiry.numberOffsets] == question[SocketInquiry.numberOffsets]
            if isOurs { return SocketInquiry.answer(answer.prefix(count)) }
        }
        return .unanswered
    }

    /// The message that asks (struct nlmsghdr, struct inet_diag_req_v2), numbers in the machine's order, addresses and ports in the network's.
    static func question(_ pair: SocketPair) -> [UInt8] {
        func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
        func bytes(_ number: UInt16) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
        func address(_ end: SocketEnd) -> [UInt8] { end.bytes + Array(repeating: 0, count: 16 - end.bytes.count) }
        let family = UInt8(pair.client.bytes.count == 4 ? AF_INET : AF_INET6)
        let ports = bytes(pair.client.port.bigEndian) + bytes(pair.listener.port.bigEndian)
        // Both ports are its number too.
        let header = bytes(UInt32(questionBytes)) + bytes(byFamily) + bytes(UInt16(1)) + ports + bytes(UInt32(0))
        // Any state, any interface, no cookie.
        return header + [family, UInt8(IPPROTO_TCP), 0, 0] + bytes(UInt32.max) + ports
            + address(pair.client) + address(pair.listener) + bytes(UInt32(0)) + bytes(UInt32.max) + bytes(UInt32.max)
    }

    /// What an answer says.
    static func answer(_ answer: ArraySlice<UInt8>) -> Answer {
        func number<Number: FixedWidthInteger>(_ offset: Int, as type: Number.Type = UInt32.self) -> Number? {
            let bytes = answer.dropFirst(offset).prefix(MemoryLayout<Number>.size)
            guard bytes.count == MemoryLayout<Number>.size else { return nil }
            return bytes.withUnsafeBytes { $0.loadUnaligned(as: type) }
        }
        switch number(4, as: UInt16.self) {
        case byFamily:
            guard let user = number(userOffset), let inode = number(inodeOffset) else { return .unanswered }
            // Those that only wait for the last packets to be gone have no inode.
            return inode > 0 ? .held(SocketTable.Entry(inode: UInt64(inode), user: user)) : .unheld
        case error where number(errorOffset, as: Int32.self) == -ENOENT: return .unheld
        default: return .unanswered
        }
    }
}
#endif
