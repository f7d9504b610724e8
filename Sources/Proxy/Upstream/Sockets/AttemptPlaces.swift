import NIOCore

/// The places among the upstream connections that one attempt to connect has taken.
///
/// It has one for as long as it goes on, and further ones for the sockets of other addresses of the same name that are open at the same time. A
/// place outlives the attempt with its socket. Used on the loop of the attempt only.
final class AttemptPlaces {
    private let count: UpstreamCount
    private let loop: any EventLoop
    /// The sockets whose end was not told yet.
    private var sockets: [any Channel] = []
    private var takenCount = 1
    private var isOver = false
    /// Whether no place was found for a further socket: then no other is opened until the addresses are tried one after another.
    private(set) var isShort = false
    private var hasTurns = false

    /// Begins an attempt on a loop, with a place that was taken for it and is given back by this.
    init(_ count: UpstreamCount, on loop: any EventLoop) { (self.count, self.loop) = (count, loop) }

    /// Notes a socket that has been opened; throws where there is no place for it, so that it is closed.
    ///
    /// The socket that has the place is closed too then, in a later turn, since those who try the addresses are in the middle of it.
    ///
    /// The end of the socket before it may not have been told, since the next address is tried within the failure of the one before.
    func opens(_ socket: any Channel) throws {
        if isShort, !hasTurns { throw count.full }
        if sockets.count(where: Self.isOpen) >= takenCount {
            guard count.enter() else {
                isShort = true
                loop.assumeIsolated().execute { [self] in
                    // One that has connected by now is what the attempt was for.
                    if !isOver, !hasTurns { for socket in sockets { socket.close(promise: nil) } }
                }
                throw count.full
            }
            takenCount += 1
        }
        sockets.append(socket)
        socket.closeFuture.assumeIsolated().whenComplete { [self] _ in
            sockets.removeAll { $0 === socket }
            giveBack()
        }
    }

    /// Notes that each socket is opened after the end of the one before from now on.
    func takesTurns() { hasTurns = true }

    /// Notes that the attempt is over, however it went: it opens no further socket.
    func end() {
        isOver = true
        giveBack()
    }

    private func giveBack() {
        let neededCount = max(sockets.count, isOver ? 0 : 1)
        while takenCount > neededCount {
            takenCount -= 1
            count.leave()
        }
    }

    /// Whether a socket has a descriptor: a closed one answers no question any more.
    private static func isOpen(_ socket: any Channel) -> Bool {
        (try? socket.syncOptions?.getOption(.autoRead)) != nil
    }
}
