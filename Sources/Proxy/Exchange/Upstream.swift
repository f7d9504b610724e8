import NIOCore
import NIOHTTP2
import Traffic

/// The upstream of an exchange: a connection of HTTP/1.1, a stream of HTTP/2, or a recorded answer.
///
/// An upstream spells what the exchange sends in its own version of HTTP, and tells the exchange what comes (`ExchangeShell`). Used on the exchange's
/// loop only.
protocol Upstream: AnyObject {
    /// Whether it carried an exchange before.
    var isReused: Bool { get }
    /// Whether it is a stream of HTTP/2, whose reset says why, and whether the request was processed (RFC 9113 §8.7).
    var isStream: Bool { get }
    /// The stream's identifier; `nil` for anything else, and before the first flush.
    var streamID: Int? { get }
    /// Whether it may send all content and never say that this was all.
    var mayLeaveEndUnsaid: Bool { get }
    /// Whether more of the request may be written.
    var isWritable: Bool { get }

    /// Writes the head of an exchange's request; `flush` sends it.
    func sendHead(of exchange: ExchangeShell)
    /// Writes the next bytes of the request's content; `flush` sends them.
    func send(_ content: ByteBuffer)
    /// Ends the request; `flush` sends that.
    func sendEnd(_ trailers: ByteBuffer?)
    /// Ends our half of a WebSocket, and reads on.
    func endOutput()
    /// Sends what was written.
    func flush()
    /// Reads again, if a read was withheld and nothing withholds it now.
    func resumeRead()

    /// Lets go of an exchange that is over, and keeps the connection for another one where `isUpstreamReusable` says so.
    func release(from exchange: ExchangeShell)
    /// Lets go of the exchange in the midst, and breaks off; a stream is reset with the code.
    func drop(_ code: HTTP2ErrorCode)

    /// Whether the upstream is on the machine that the proxy runs on.
    func isNear(_ listeners: OwnListeners) -> Bool
    /// Measures whether the upstream takes what it is sent.
    func look(_ progress: inout SocketProgress, _ now: NIODeadline)
    /// An exchange on it is given up, for which nothing has come since then.
    func wasSilent(since: NIODeadline)
}
