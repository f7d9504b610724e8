import NIOConcurrencyHelpers
import Traffic

#if canImport(Glibc)
import Glibc
#endif

/// The programs that connected last, each with where its next socket will be: a further connection of one of them is told by a few calls of the
/// kernel, on the event loop, and no thread is woken for it.
final class KnownPrograms: Sendable {
    /// What a connection is known by when it has ended.
    struct Claim: Equatable, Sendable {
        fileprivate var id: Int32
        fileprivate var number: UInt64
    }

    /// What is known of a connection at once.
    enum Sighting: Equatable {
        case held(LocalProcess, Claim)
        /// No program holds its client's end, or none that we may look at.
        case unheld
        /// It has to be searched for.
        case unknown
    }

    #if os(Linux)
    private static let programLimitCount = 8
    /// Descriptors that are looked at for one connection.
    private static let lookLimitCount = 32

    private struct State {
        /// Those that connected last at the front.
        var holders: [SocketHolder] = []
        var claims: UInt64 = 0
    }

    private let state = NIOLockedValueBox(State())
    private let inquiry: SocketInquiry?
    private let root: String
    private let user = geteuid()
    #endif

    /// Knows none.
    ///
    /// - Parameter root: where `/proc` is; a test may have one of its own, which the kernel is not asked about.
    init(root: String = ProcessTable.usualRoot) {
        #if os(Linux)
        self.root = root
        inquiry = root == ProcessTable.usualRoot ? SocketInquiry() : nil
        #endif
    }

    /// Their numbers, those that connected last at the front.
    var ids: [Int32] {
        #if os(Linux)
        state.withLockedValue { $0.holders.map(\.process.id) }
        #else
        []
        #endif
    }

    /// Looks whether one of them holds the client's end of a connection.
    func look(for pair: SocketPair) -> Sighting {
        #if os(Linux)
        guard let inquiry else { return .unknown }
        return state.withLockedValue { state in
            if state.holders.isEmpty { return .unknown }
            switch inquiry.answer(pair) {
            case .unanswered: return .unknown
            case .unheld: return .unheld
            case .held(let socket):
                // The descriptors of others' programs are the administrator's to see.
                guard user == 0 || socket.user == user else { return .unheld }
                return held(socket.inode, &state)
            }
        }
        #else
        return .unknown
        #endif
    }

    #if os(Linux)
    /// Looks for a socket; for tests, which have sockets that the kernel does not know.
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

    /// Takes note of who holds a connection, which was searched for; `nil` where that cannot be known from now on.
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

    /// Takes note that a connection has ended, or that nothing more goes to its client.
    func release(_ claim: Claim, isOver: Bool) {
        #if os(Linux)
        state.withLockedValue { state in
            guard let index = state.holders.firstIndex(where: { $0.process.id == claim.id }) else { return }
            state.holders[index].release(claim: claim.number, isOver: isOver)
        }
        #endif
    }
}
