import NIOConcurrencyHelpers
import Traffic

#if canImport(Glibc)
import Glibc
#endif

/// The programs that connected last, each with the place of its next socket.
///
/// A few system calls on the event loop then tell which of them made a further connection, and no thread is woken for it.
final class KnownPrograms: Sendable {
    /// The place of a connection's socket, by which its end is noted.
    struct Claim: Equatable, Sendable {
        fileprivate var id: Int32
        fileprivate var number: UInt64
    }

    /// What is known of a connection without a search.
    enum Sighting: Equatable {
        case held(LocalProcess, Claim)
        /// No program holds its client's end, or none that we may look at.
        case unheld
        /// Nothing: the program has to be searched for.
        case unknown
    }

    #if os(Linux)
    private static let programLimitCount = 8
    /// The most descriptors that are read for one connection.
    private static let lookLimitCount = 32

    private struct State {
        /// The programs, those that connected last at the front.
        var holders: [SocketHolder] = []
        var claims: UInt64 = 0
    }

    private let state = NIOLockedValueBox(State())
    private let inquiry: SocketInquiry?
    private let root: String
    private let user = geteuid()
    #endif

    /// Makes an empty memory.
    ///
    /// - Parameter root: the place of `/proc`; where a test has its own, the kernel is not asked.
    init(root: String = ProcessTable.usualRoot) {
        #if os(Linux)
        self.root = root
        inquiry = root == ProcessTable.usualRoot ? SocketInquiry() : nil
        #endif
    }

    /// The process numbers of the programs, those that connected last at the front.
    var ids: [Int32] {
        #if os(Linux)
        state.withLockedValue { $0.holders.map(\.process.id) }
        #else
        []
        #endif
    }

    /// Finds which of them holds the client's end of a connection.
    func look(for pair: SocketPair) -> Sighting {
        #if os(Linux)
        guard let inquiry else { return .unknown }
        return state.withLockedValue { state in
            if state.holders.isEmpty { return .unknown }
            switch inquiry.answer(pair) {
            case .unanswered: return .unknown
            case .unheld: return .unheld
            case .held(let socket):
                // Only the administrator may read the descriptors of other users' programs.
                guard user == 0 || socket.user == user else { return .unheld }
                return held(socket.inode, &state)
            }
        }
        #else
        return .unknown
        #endif
    }

    #if os(Linux)
    /// Finds a socket; for tests, whose sockets the kernel does not know.
    func look(forSocket inode: UInt64) -> Sighting { state.withLockedValue { held(inode, &$0) } }

    private func held(_ inode: UInt64, _ state: inout State) -> Sighting {
        var left = KnownPrograms.lookLimitCount
        var index = 0
        while index < state.holders.count {
            guard state.holders[index].isSame else {
                state.holders.remove(at: index)
                continue
            }
            if let number = state.holders[index].number(of: inode, left: &left) {
                if index > 0 { state.holders.insert(state.holders.remove(at: index), at: 0) }
                return .held(state.holders[0].process, KnownPrograms.claim(number, &state))
            }
            index += 1
        }
        return .unknown
    }

    /// Claims a connection of a program that is known.
    private func again(_ owner: SocketOwner, _ state: inout State) -> Claim? {
        guard let index = state.holders.firstIndex(where: { $0.process == owner.process && $0.isSame }) else {
            return nil
        }
        state.holders.insert(state.holders.remove(at: index), at: 0)
        return KnownPrograms.claim(owner.number, &state)
    }

    /// Claims a number of the first of them.
    private static func claim(_ number: Int32, _ state: inout State) -> Claim {
        state.claims += 1
        state.holders[0].take(number, claim: state.claims)
        return Claim(id: state.holders[0].process.id, number: state.claims)
    }
    #endif

    /// Notes the program that a search found for a connection; returns `nil` where the program cannot be followed from now on.
    func learn(_ owner: SocketOwner) -> Claim? {
        #if os(Linux)
        if let claim = state.withLockedValue({ again(owner, &$0) }) { return claim }
        guard let holder = SocketHolder(owner.process, root: root) else { return nil }
        return state.withLockedValue { state in
            state.holders.removeAll { $0.process.id == owner.process.id }
            state.holders.insert(holder, at: 0)
            if state.holders.count > KnownPrograms.programLimitCount { state.holders.removeLast() }
            return KnownPrograms.claim(owner.number, &state)
        }
        #else
        return nil
        #endif
    }

    /// Notes that a connection has ended, or that nothing more goes to its client.
    func release(_ claim: Claim, isOver: Bool) {
        #if os(Linux)
        state.withLockedValue { state in
            guard let index = state.holders.firstIndex(where: { $0.process.id == claim.id }) else { return }
            state.holders[index].release(claim: claim.number, isOver: isOver)
        }
        #endif
    }
}
