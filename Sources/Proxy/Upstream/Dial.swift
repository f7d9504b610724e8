import NIOCore

/// A dial under way, with the handshake that follows: it knows the connections that are being opened, so that it can be given up.
///
/// Used on the loop of the dial only.
final class Dial {
    /// The connections being opened: at most two for each address of the upstream's name.
    private var channels: [any Channel] = []
    private(set) var isGivenUp = false
    /// Another dial that this one waits for instead of connecting.
    private var awaited: Dial?
    /// Ends the wait for a place among the upstream connections; `nil` while it waits for none.
    var leavesQueue: (() -> Void)?
    /// Whether a connection is still needed; asked while it waits for a place.
    var isNeeded: () -> Bool = { true }
    /// How many dials wait for this one and have not been given up.
    private var waitingCount = 0
    /// The network of the client that asked for it; `nil` for a client of this machine.
    let client: [UInt8]?

    init(for client: [UInt8]? = nil) { self.client = client }

    /// Takes a connection that was opened before.
    init(_ dialed: DialedUpstream) {
        channels = [dialed.channel]
        client = nil
    }

    /// Notes a connection that is about to be opened; throws once the dial is given up, so that no further address is tried.
    func opens(_ channel: any Channel) throws {
        guard !isGivenUp else { throw ChannelError.ioOnClosedChannel }
        channels.append(channel)
    }

    /// Waits for another dial, which is given up with the last dial that waits for it.
    func wait(for other: Dial) {
        awaited = other
        other.waitingCount += 1
    }

    /// Releases the connection, which others may use from now on.
    func handOver() { channels = [] }

    /// Gives the dial up: closes what is being opened, waits for no place, and the dial's future fails.
    func giveUp() {
        isGivenUp = true
        leavesQueue.take()?()
        for channel in channels { channel.close(promise: nil) }
        channels = []
        awaited.take()?.wasLeft()
    }

    private func wasLeft() {
        waitingCount -= 1
        if waitingCount == 0 { giveUp() }
    }
}
