/// A recorded exchange with a rule's answer in the place of its response.
struct AnsweredExchange<Subject: FilterSubject>: FilterSubject {
    let subject: Subject
    let answer: TriedContent.Response

    var summary: ExchangeSummary {
        var summary = subject.summary
        summary.code = answer.code
        summary.mediaType = MediaType(HeaderList(head: answer.head).first("content-type"))?.essence
        summary.responseBytes = answer.length
        summary.outcome = .completed
        return summary
    }

    func message(_ side: MessageSide) throws -> Message? {
        guard side == .response else { return try subject.message(side) }
        return Message(head: answer.head, body: Body(length: answer.length, kept: answer.length, sha256: []))
    }

    func body(_ side: MessageSide, offset: Int64, limitBytes: Int) throws -> [UInt8] {
        guard side == .response else { return try subject.body(side, offset: offset, limitBytes: limitBytes) }
        return try answer.body(offset: offset, limitBytes: limitBytes)
    }

    func messages(after number: Int64) -> [StreamMessage] { [] }
}
