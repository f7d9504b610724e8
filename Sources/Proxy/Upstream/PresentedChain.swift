/// What an upstream showed of itself in a handshake; filled in on the connection's loop.
final class PresentedChain {
    /// DER, leaf first.
    var certificates: [[UInt8]] = []
    /// The certificate at which verification failed.
    var refused: [UInt8]?
    /// Whether the chain ends at our own root, which is never trusted upstream.
    var isOwn = false
}
