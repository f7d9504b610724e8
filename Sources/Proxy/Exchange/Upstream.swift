import NIOCore
import NIOHTTP2
import Traffic

/// What answers an exchange: a connection of HTTP/1.1, a stream of HTTP/2, or a recorded answer.
///
/// It spells what the exchange sends as its version has it, and tells the exchange what comes (`ExchangeShell`). Used on the exchange's loop only.
protocol Upstream: AnyObject {
    /// Whether it carried an exchange before.
    var isReused: Bool { get }
    /// Whether it is a stream among others: it can be told why it is given up, and tells whether a request was processed (RFC 9113 §8.7).
    var isStream: Bool { get }
    /// The stream's identifier; `nil` where it is none, and before the first flush.
    var streamID: Int? { get }
    /// Whether it may have sent all content and never say that this was all.
    var mayLeaveEndUnsaid: Bool { get }
    /// Whether more of the request may be written.
    var isWritable: Bool { get }

    /// Writes the head of an exchange's request; `flush` sends it.
    func sendHead(of exchange: ExchangeShell)
    /// Writes the next bytes of the request's content; `flush` sends them.
    func send(_ content: ByteBuffer)
    /// Ends the request; `flush` sends that.
    func sendEnd(_ trailers: ByteBuffer?)
    /// Says that nothing more is sent on what was switched to another protocol, and reads on.
    func endOutput()
    /// Sends what was written.
    func flush()
    /// Reads again, if a read was withheld and nothing withholds it now.
    func resumeRead()

    /// Takes the exchange off, which is over, and keeps itself for another one where that may be.
    func release(from exchange: ExchangeShell)
    /// Takes the exchange off and breaks off what it was doing for it, with a code that says why where that can be said.
    func drop(_ code: HTTP2ErrorCode)

    /// Whether it is on the machine that the proxy runs on.
    func isNear(_ listeners: OwnListeners) -> Bool
    /// Looks whether it takes what it is sent.
    func look(_ progress: inout SocketProgress, _ now: NIODeadline)
    /// An exchange on it was given up, since nothing came for it since then.
    func wasSilent(since: NIODeadline)
}
