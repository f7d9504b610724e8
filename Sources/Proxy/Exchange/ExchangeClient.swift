import NIOCore
import Traffic

/// The client of an exchange: a connection of HTTP/1, or a stream of HTTP/2.
///
/// A client spells what the exchange gives it in its own version of HTTP. Used on the exchange's loop only.
protocol ExchangeClient: Watched {
    /// What all exchanges of the client's connection have in common.
    var connection: ClientConnection { get }
    /// The version of its responses: HTTP/1.1 or HTTP/2.
    var version: HTTPVersion { get }
    /// The stream's identifier; `nil` for a connection of HTTP/1.
    var streamID: Int? { get }
    /// Where the bytes go; `nil` once the client is gone.
    var channel: (any Channel)? { get }
    /// Whether a read burst is under way.
    ///
    /// The whole burst is read before any of it is sent, since its rest may show that nothing is to be sent.
    var isReading: Bool { get }
    /// Whether the client cannot send more of its request, since we read nothing.
    var isReadWithheld: Bool { get }
    /// Whether there is room for more of a response.
    var takesResponse: Bool { get }
    /// Why this end closed its connection, whoever is at fault; `nil` where it did not.
    var ownBreak: ExchangeFailure? { get }

    /// Spells the head of a final response, which may settle whether the connection carries another exchange.
    ///
    /// - Parameters:
    ///   - response: the head as it came.
    ///   - exchange: the exchange that it answers.
    /// - Returns: the part to write, and its text for the record; the text is `nil` where it is what came.
    func head(of response: ResponseHead, for exchange: ExchangeShell) -> (part: WirePart, sent: ByteBuffer?)
    /// Spells the head of an interim response; `nil` where the client's version has none.
    func interimHead(of response: ResponseHead, for exchange: ExchangeShell) -> WirePart?
    /// Writes a part of the response; `flush` sends it.
    func write(_ part: WirePart)
    /// Keeps the room of a body that was written until the client takes more again.
    func keep(_ rooms: [RuleRoom])
    /// Ends the response.
    func writeEnd(_ trailers: ByteBuffer?, of exchange: ExchangeShell)
    /// Writes the proxy's own answer, whole.
    func write(_ answer: OwnAnswer, of exchange: ExchangeShell)
    /// Sends what was written.
    func flush()
    /// Sends what was written, with which all content is there of a response that has not ended; a stream tells when the connection has taken it.
    func flushLast()

    /// Reads again, if a read was withheld and nothing withholds it now.
    func resumeRead()
    /// Takes everything that comes from here on for content, since the protocol was switched.
    func goOnRaw()
    /// Measures since when the client takes nothing of what is written; the first look of several begins the count.
    func unreadSince(_ now: NIODeadline) -> NIODeadline
    /// Breaks the client's connection or stream off at once, whatever still waits to be read there.
    func cutOff()

    /// The exchange is over: sends what was written. Another may follow where `isWhole` says that the request was read to its end.
    func ended(_ exchange: ExchangeShell, isWhole: Bool)
    /// The exchange is over, and the client must see that its response is not whole.
    func broken(_ exchange: ExchangeShell)
    /// The exchange is over in the midst of its response, since the proxy stops: nobody has broken it, and no other follows.
    func left(_ exchange: ExchangeShell)
}
