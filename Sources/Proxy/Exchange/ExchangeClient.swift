import NIOCore
import Traffic

/// Who asked for an exchange, as the exchange knows it: a connection of HTTP/1, or a stream of HTTP/2.
///
/// It spells what the exchange gives it as its version has it. Used on the exchange's loop only.
protocol ExchangeClient: Watched {
    var connection: ClientConnection { get }
    /// The version that it is answered in: HTTP/1.1 or HTTP/2.
    var version: HTTPVersion { get }
    /// The stream's identifier; `nil` on a connection of its own.
    var streamID: Int? { get }
    /// Where the bytes go; `nil` once it is gone.
    var channel: (any Channel)? { get }
    /// Whether a read burst is under way: what it holds is read before any of it is sent, since the rest may show that nothing is to be sent.
    var isReading: Bool { get }
    /// Whether it sends nothing of a request, since nothing of it is read.
    var isReadWithheld: Bool { get }
    /// Whether there is room for more of a response.
    var takesResponse: Bool { get }
    /// What its connection was closed for though it did nothing wrong; `nil` where it was not.
    var ownBreak: ExchangeFailure? { get }

    /// What becomes of the head of a final response, which may settle whether the connection carries another exchange; and the text of it for the
    /// record where it differs from what came.
    func head(of response: ResponseHead, for exchange: ExchangeShell) -> (part: WirePart, sent: ByteBuffer?)
    /// What becomes of the head of an interim response; `nil` where it cannot be told.
    func interimHead(of response: ResponseHead, for exchange: ExchangeShell) -> WirePart?
    /// Writes a part of the response; `flush` sends it.
    func write(_ part: WirePart)
    /// Ends the response.
    func writeEnd(_ trailers: ByteBuffer?, of exchange: ExchangeShell)
    /// Writes the proxy's own answer, whole.
    func write(_ answer: OwnAnswer, of exchange: ExchangeShell)
    /// Sends what was written.
    func flush()

    /// Reads again, if a read was withheld and nothing withholds it now.
    func resumeRead()
    /// Takes what comes from here on for content, until it ends: the protocol was switched.
    func goOnRaw()
    /// Since when it takes nothing of what is written, as far as looks have shown; the first of them takes note of it.
    func unreadSince(_ now: NIODeadline) -> NIODeadline
    /// Breaks off at once, whatever still waits to be read.
    func cutOff()

    /// The exchange is over; what was written is sent, and another may follow where `isWhole` says that the request was read to its end.
    func ended(_ exchange: ExchangeShell, isWhole: Bool)
    /// The exchange is over, and the client must see that its response is not whole.
    func broken(_ exchange: ExchangeShell)
    /// The exchange is over in the midst of its response, since the proxy stops: nobody has broken it, and no other follows.
    func left(_ exchange: ExchangeShell)
}
