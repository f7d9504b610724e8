/// An exchange of which a test sees one message, without its trailers, and no message of its stream.
///
/// A head is not to wait for the trailers behind its body, so rules are never judged by them.
struct OneSide<Subject: FilterSubject>: FilterSubject {
    let subject: Subject
    let side: MessageSide
    /// Whether the body has come whole and is looked at.
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

    func noteCut(_ side: MessageSide) { subject.noteCut(side) }
}
