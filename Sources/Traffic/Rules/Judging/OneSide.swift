/// An exchange that shows a test one of its two messages, without trailers, and no message of its stream.
///
/// A head must not wait for the trailers behind its body, so rules never look at trailers.
struct OneSide<Subject: FilterSubject>: FilterSubject {
    let subject: Subject
    let side: MessageSide
    /// Whether the body has come whole and can be looked at.
    let hasBody: Bool

    var summary: ExchangeSummary { subject.summary }

    func message(_ asked: MessageSide) throws -> Message? {
        guard asked == side, var message = try subject.message(side) else { return nil }
        message.trailers = nil
        if !hasBody { message.body = Body() }
        return message
    }

    func body(_ asked: MessageSide, offset: Int64, limitBytes: Int) throws -> [UInt8] {
        guard asked == side, hasBody else { return [] }
        return try subject.body(side, offset: offset, limitBytes: limitBytes)
    }

    func messages(after number: Int64) -> [StreamMessage] { [] }

    var decoded: DecodedBodies? { hasBody ? subject.decoded : nil }

    var heads: SearchedHeads? { subject.heads }

    func noteCut(_ side: MessageSide) { subject.noteCut(side) }
}
