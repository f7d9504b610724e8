import NIOCore

/// The life of a client's connection of HTTP/1 as pure rules: one exchange after another, and an orderly end; facts in, an effect out.
///
/// The machine knows no channel, and is told the time.
struct ConnectionStateMachine {
    /// A fact that the machine is told.
    enum Fact {
        /// An exchange began: a request came, or bytes that are none and are answered.
        case exchangeBegan
        /// The exchange is over; `hasRoom` says whether the record has room for the row of another.
        case exchangeEnded(mayFollow: Bool, hasRoom: Bool, now: NIODeadline)
        /// There is room for the row of another exchange.
        case room(now: NIODeadline)
        /// A CONNECT came, and its upstream is dialled.
        case connecting
        /// A read burst ended, with so many bytes of a head that is not whole.
        case came(headBytes: Int, now: NIODeadline)
        /// The client sends nothing more.
        case inputClosed
        /// The socket has taken everything that was written, or never will.
        case written(now: NIODeadline)
        /// So many bytes came behind the last exchange.
        case cameBehind(Int)
        /// Time has passed; `isPaused` says that we do not read what the client sends.
        case look(now: NIODeadline, limits: Limits, isPaused: Bool)
        /// The proxy stops: nothing may follow.
        case drain
        /// The connection is over.
        case left
    }

    /// How long a connection may be without an exchange.
    struct Limits {
        /// For how long a head may take to come.
        var head: TimeAmount
        /// For how long nothing may come between two exchanges.
        var keepAlive: TimeAmount
    }

    /// An effect of the machine: something that its shell must do.
    enum Effect: Equatable {
        /// Let the next request begin, with what was sent ahead. Leads to `inputClosed` where the client has ended its side already.
        case next
        /// Tell when there is room; leads to `room`.
        case awaitRoom
        /// Tell the exchange that its client sends nothing more.
        case tellExchange
        /// Close the output behind what was written; leads to `written`.
        case endOutput
        /// Close once the socket has taken what was written; leads to nothing. The client has ended its side, so that the socket sends the rest.
        case closeWhenWritten
        /// Read and throw away what still comes, so that no reset overtakes the response.
        case readOut
        /// Answer a head that was not complete in time.
        case refuseSlowHead
        /// Close.
        case close
        /// Close once the client's machine has what was written; what still comes is thrown away. Leads to nothing but `left`.
        case leave
    }

    /// For how long the connection reads on behind the last exchange.
    static let lingerTime = TimeAmount.seconds(2)
    /// How many bytes it reads meanwhile at most.
    static let lingerBytes = 256 << 10

    private enum State {
        /// No exchange is under way since then; `head` is when the next one's head began to come, or `nil`.
        case idle(since: NIODeadline, head: NIODeadline?)
        case busy
        /// A CONNECT is dialled: the connection is about to change its protocol.
        case connecting
        /// The last exchange is over, and the next waits until there is room for its row.
        case waiting
        /// What was written goes out; a reader that takes nothing of it is cut off.
        case ending
        /// Output is closed; what still comes is thrown away, at most so many bytes, until the connection is left.
        case lingering(until: NIODeadline, bytesLeft: Int)
        /// The connection is left (`LeavingConnection`), or over.
        case over
    }

    private var state: State
    private(set) var isInputClosed = false
    /// Whether the proxy stops: nobody waits for what a client still sends.
    private var isDraining = false

    /// A connection without an exchange.
    ///
    /// - Parameter now: when the connection was made.
    init(now: NIODeadline) { state = .idle(since: now, head: nil) }

    // MARK: Looks

    /// Whether bytes that come are for an exchange, or begin one.
    var isOpen: Bool {
        switch state {
        case .idle, .busy, .connecting, .waiting: true
        case .ending, .lingering, .over: false
        }
    }

    /// Whether a CONNECT is dialled.
    var isConnecting: Bool { if case .connecting = state { true } else { false } }

    /// Whether the next exchange waits for room.
    var isWaiting: Bool { if case .waiting = state { true } else { false } }

    /// Whether what was written is on its way, and nothing follows.
    var isEnding: Bool { if case .ending = state { true } else { false } }

    /// Whether what comes is read and thrown away.
    var isLingering: Bool { if case .lingering = state { true } else { false } }

    // MARK: Facts

    /// Takes a fact.
    ///
    /// - Parameter fact: what happened.
    /// - Returns: what the shell must do; `nil` for nothing.
    mutating func handle(_ fact: Fact) -> Effect? {
        switch fact {
        case .exchangeBegan: return began(.busy)
        case .connecting: return began(.connecting)
        case .exchangeEnded(let mayFollow, let hasRoom, let now): return ended(mayFollow, hasRoom, now)
        case .room(let now):
            guard case .waiting = state else { return nil }
            state = .idle(since: now, head: nil)
            return .next
        case .came(let headBytes, let now):
            guard case .idle(let since, let head) = state else { return nil }
            state = .idle(since: since, head: headBytes > 0 ? head ?? now : nil)
            return nil
        case .inputClosed: return inputClosed()
        case .written(let now):
            guard case .ending = state else { return nil }
            guard !isInputClosed else { return .close }
            guard !isDraining else { return leave() }
            state = .lingering(until: now + Self.lingerTime, bytesLeft: Self.lingerBytes)
            return .readOut
        case .cameBehind(let count):
            guard case .lingering(let until, let bytesLeft) = state else { return nil }
            guard bytesLeft > count else { return leave() }
            state = .lingering(until: until, bytesLeft: bytesLeft - count)
            return nil
        case .look(let now, let limits, let isPaused): return look(now, limits, isPaused)
        case .drain: return drain()
        case .left:
            state = .over
            isInputClosed = true
            return nil
        }
    }

    private mutating func began(_ next: State) -> Effect? {
        if isOpen { state = next }
        return nil
    }

    private mutating func ended(_ mayFollow: Bool, _ hasRoom: Bool, _ now: NIODeadline) -> Effect? {
        guard isOpen else { return nil }
        guard mayFollow, !isDraining else { return end() }
        state = hasRoom ? .idle(since: now, head: nil) : .waiting
        return hasRoom ? .next : .awaitRoom
    }

    private mutating func inputClosed() -> Effect? {
        isInputClosed = true
        switch state {
        case .idle: return end()
        case .busy: return .tellExchange
        // What was sent ahead is still answered.
        case .waiting, .connecting, .ending, .lingering, .over: return nil
        }
    }

    private mutating func look(_ now: NIODeadline, _ limits: Limits, _ isPaused: Bool) -> Effect? {
        switch state {
        case .idle(_, let head) where isPaused:
            // What we do not read is not the client's silence.
            state = .idle(since: now, head: head.map { _ in now })
            return nil
        case .idle(_, let head?): return now - head >= limits.head ? .refuseSlowHead : nil
        case .idle(let since, nil): return now - since >= limits.keepAlive ? end() : nil
        case .lingering(let until, _): return now >= until ? leave() : nil
        case .busy, .connecting, .waiting, .ending, .over: return nil
        }
    }

    private mutating func drain() -> Effect? {
        isDraining = true
        switch state {
        case .idle, .waiting: return end()
        case .lingering: return leave()
        case .busy, .connecting, .ending, .over: return nil
        }
    }

    /// Sends what was written, then reads what still comes for a moment, so that no reset overtakes the response.
    private mutating func end() -> Effect {
        state = .ending
        return isInputClosed ? .closeWhenWritten : .endOutput
    }

    private mutating func leave() -> Effect {
        state = .over
        return .leave
    }
}
