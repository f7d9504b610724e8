import NIOCore
import Traffic

/// The states of an exchange's two halves.
extension ExchangeStateMachine {
    /// The client's half.
    enum Request {
        /// Nothing was told of it. Exits: `waiting` with the request, `ended` when it is refused.
        case none
        /// There is no upstream yet. What came is kept: at most one read burst, since reading pauses. Exits: `flowing`, `ended`.
        case waiting([Fact])
        /// Parts go upstream as they come. Exits: `ended`.
        case flowing
        /// The request is complete, or of no more interest. Exits: `flowing` with a WebSocket.
        case ended
    }

    /// The upstream's half.
    enum Response {
        /// No final response has begun. Exits: `flowing` with the head, `held` with a failure.
        case awaited
        /// Parts go to the client as they come, but for the last one, which may be the last of all. Exits: `early`, `held`.
        case flowing(withheld: Fact?)
        /// The response is complete before the request is, and the record is told of it. Exits: `answered`, `held`.
        case early(withheld: Fact?, trailers: ByteBuffer?)
        /// The client has all of it, and its request goes on. Exits: `held`.
        case answered
        /// Everything is known and the record is on its way. Exits: `over`.
        case held(Ending)
        /// The client has its end. No exits.
        case over
    }

    /// What happens when the record is committed.
    enum Ending {
        /// The withheld part and the end are delivered.
        case whole(withheld: Fact?, trailers: ByteBuffer?)
        /// The client has everything already.
        case answered
        /// The proxy's own answer is delivered.
        case answer
        /// The client is shown a break.
        case broken
        /// The client's connection ends without a break, or its stream by a reset, though its response could go on: the proxy stops.
        case left
        /// There is nobody to tell.
        case silent
    }
}
