#if os(Linux)
import Atomics
import Glibc

/// Asks the kernel for one TCP socket by its addresses (sock_diag(7)), in microseconds; reading its table takes milliseconds with thousands of them.
///
/// It asks one question at a time.
final class SocketInquiry: Sendable {
    /// The kernel's answer for a connection.
    enum Answer: Equatable {
        case held(SocketTable.Entry)
        /// No program holds its client's end, or not any more.
        case unheld
        /// The kernel takes no such question; its tables may have the answer.
        case unanswered
    }

    private let descriptor: Int32
    private let hasAnswered = ManagedAtomic(false)

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
    /// Where the number stands that an answer has of its question, and the ports in a question.
    private static let numberOffset = 8
    private static let portsOffset = 24
    /// Bytes of the buffer for an answer, which is far shorter.
    private static let answerLimitBytes = 1_024

    /// Opens the socket for questions; `nil` where the kernel takes none.
    init?() {
        descriptor = socket(
            SocketInquiry.netlink,
            Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
            SocketInquiry.diagnosis
        )
        guard descriptor >= 0 else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether the kernel has answered for a socket; a kernel that cannot may search for a module at every question, which takes time.
    var isProven: Bool { hasAnswered.load(ordering: .relaxed) }

    /// Asks for the client's end of a connection.
    func answer(_ pair: SocketPair) -> Answer {
        withUnsafeTemporaryAllocation(byteCount: SocketInquiry.answerLimitBytes, alignment: 8) { room in
            let question = UnsafeMutableRawBufferPointer(rebasing: room[..<SocketInquiry.questionBytes])
            let number = SocketInquiry.ask(pair, question)
            let sent = send(descriptor, question.baseAddress, question.count, Int32(MSG_DONTWAIT))
            guard sent == question.count else { return .unanswered }
            // The kernel answers within the call above; answers left over from another question are skipped.
            while case let count = recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT)), count > 0 {
                let answer = UnsafeRawBufferPointer(rebasing: room[..<count])
                let isOurs =
                    count >= 12
                    && answer.loadUnaligned(fromByteOffset: SocketInquiry.numberOffset, as: UInt32.self) == number
                if isOurs { return proven(SocketInquiry.answer(answer)) }
            }
            return .unanswered
        }
    }

    /// A kernel that lacks what answers for TCP says of every socket that there is none: that counts once another was there.
    private func proven(_ answer: Answer) -> Answer {
        if case .held = answer { hasAnswered.store(true, ordering: .relaxed) }
        return answer == .unheld && !isProven ? .unanswered : answer
    }

    /// Writes the message that asks (struct nlmsghdr, struct inet_diag_req_v2), numbers in the machine's order, addresses and ports in the network's.
    ///
    /// - Returns: the number that its answer has too: both ports.
    private static func ask(_ pair: SocketPair, _ room: UnsafeMutableRawBufferPointer) -> UInt32 {
        room.initializeMemory(as: UInt8.self, repeating: 0)
        room.storeBytes(of: UInt32(questionBytes), as: UInt32.self)
        room.storeBytes(of: byFamily, toByteOffset: 4, as: UInt16.self)
        // A request.
        room.storeBytes(of: 1, toByteOffset: 6, as: UInt16.self)
        for offset in [numberOffset, portsOffset] {
            room.storeBytes(of: pair.client.port.bigEndian, toByteOffset: offset, as: UInt16.self)
            room.storeBytes(of: pair.listener.port.bigEndian, toByteOffset: offset + 2, as: UInt16.self)
        }
        room[16] = UInt8(pair.client.bytes.count == 4 ? AF_INET : AF_INET6)
        room[17] = UInt8(IPPROTO_TCP)
        // Any state, any interface, no cookie.
        for offset in [20, 64, 68] { room.storeBytes(of: .max, toByteOffset: offset, as: UInt32.self) }
        for (offset, end) in [(28, pair.client), (44, pair.listener)] {
            UnsafeMutableRawBufferPointer(rebasing: room[offset..<(offset + 16)]).copyBytes(from: end.bytes)
        }
        return room.loadUnaligned(fromByteOffset: numberOffset, as: UInt32.self)
    }

    /// Reads an answer.
    static func answer(_ answer: UnsafeRawBufferPointer) -> Answer {
        func number<Number: FixedWidthInteger>(_ offset: Int, as type: Number.Type = UInt32.self) -> Number? {
            guard offset + MemoryLayout<Number>.size <= answer.count else { return nil }
            return answer.loadUnaligned(fromByteOffset: offset, as: type)
        }
        switch number(4, as: UInt16.self) {
        case byFamily:
            guard let user = number(userOffset), let inode = number(inodeOffset) else { return .unanswered }
            // Sockets that only wait for their last packets to expire have no inode.
            return inode > 0 ? .held(SocketTable.Entry(inode: UInt64(inode), user: user)) : .unheld
        case error where number(errorOffset, as: Int32.self) == -ENOENT: return .unheld
        default: return .unanswered
        }
    }
}
#endif
