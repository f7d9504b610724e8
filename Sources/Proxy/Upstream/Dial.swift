import NIOCore

/// A dial under way, a handshake behind it with it: the connections that are being opened for it, so that whoever asked for it can give it up.
///
/// Used on the loop of the dial only.
final class Dial {
    /// At most one for each address of the upstream's name.
    private var channels: [any Channel] = []
    private(set) var isGivenUp = false
    /// The dial that this one waits for in the place of one of its own.
    private var awaited: Dial?
    /// How many that have not been given up wait for this one.
    private var waitingCount = 0
    /// The network of the client that asked for it; `nil` for one of this machine.
    let client: [UInt8]?

    init(for client: [UInt8]? = nil) { self.client = client }

    /// Goes on with a connection that was opened before.
    init(_ dialed: DialedUpstream) {
        channels = [dialed.channel]
        client = nil
    }

    /// Takes note of a connection that is about to be opened; throws once the dial is given up, so that no further address is tried.
    func opens(_ channel: any Channel) throws {
        guard !isGivenUp else { throw ChannelError.ioOnClosedChannel }
        channels.append(channel)
    }

    /// Waits for another dial, which is given up with the last that waits for it.
    func wait(for other: Dial) {
        awaited = other
        other.waitingCount += 1
    }

    /// Lets go of the connection, which others may use from now on.
    func handOver() { channels = [] }

    /// Closes what is being opened; the future of the dial fails.
    func giveUp() {
        isGivenUp = true
        for channel in channels { channel.close(promise: nil) }
        channels = []
        awaited.take()?.wasLeft()
    }

    private func wasLeft() {
        waitingCount -= 1
        if waitingCount == 0 { giveUp() }
    }
}
