import NIOCore

/// A dial under way, a handshake behind it with it: the connections that are being opened for it, so that whoever asked for it can give it up.
///
/// Used on the loop of the dial only.
final class Dial {
    /// At most one for each address of the upstream's name.
    private var channels: [any Channel] = []
    private(set) var isGivenUp = false
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

    /// Lets go of the connection, which others may use from now on.
    func handOver() { channels = [] }

    /// Closes what is being opened; the future of the dial fails.
    func giveUp() {
        isGivenUp = true
        for channel in channels { channel.close(promise: nil) }
        channels = []
    }
}
