import NIOCore
import Traffic

/// Where the halves of an exchange are.
extension ExchangeStateMachine {
    /// The client's half.
    enum Request {
        /// Exits: `waiting` with the request, `ended` when it is refused.
        case none
        /// No upstream yet; what came is kept, at most one read burst, since reading pauses. Exits: `flowing`, `ended`.
        case waiting([Fact])
        /// Parts go upstream as they come. Exits: `ended`.
        case flowing
        /// It is complete, or of no more interest.
        case ended
    }

    /// The upstream's half.
    enum Response {
        /// Exits: `flowing` with the head, `held` with a failure.
        case awaited
        /// The part that came last, not delivered yet: it may be the last of all. Exits: `early`, `held`.
        case flowing(withheld: Fact?)
        /// It is complete before the request is, and the record is told of it. Exits: `answered`, `held`.
        case early(withheld: Fact?, trailers: ByteBuffer?)
        /// The client has all of it, and its request goes on. Exits: `held`.
        case answered
        /// Everything is known and the record is on its way. Exits: `over`.
        case held(Ending)
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
        /// The client is left by a proxy that stops, in the midst of a response that may go on for as long as its ends like.
        case left
        /// There is nobody to tell.
        case silent
    }
}
