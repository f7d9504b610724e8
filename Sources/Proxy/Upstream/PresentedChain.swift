/// The certificates that an upstream showed in a handshake; filled in on the connection's loop.
final class PresentedChain {
    /// The chain, DER, leaf first.
    var certificates: [[UInt8]] = []
    /// The certificate at which verification failed; `nil` where it did not.
    var refused: [UInt8]?
    /// Whether the chain ends at our own root, which is never trusted upstream.
    var isOwn = false
}
