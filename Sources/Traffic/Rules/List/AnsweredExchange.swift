/// A recorded exchange with a rule's answer in the place of its response.
struct AnsweredExchange<Subject: FilterSubject>: FilterSubject {
    let subject: Subject
    let answer: RenderedAnswer
    let body: [UInt8]

    var summary: ExchangeSummary {
        var summary = subject.summary
        summary.code = answer.status
        let type = answer.fields.first { ASCII.isSame($0.name, "content-type") }?.value
        summary.mediaType = MediaType(type)?.essence
        summary.responseBytes = Int64(body.count)
        summary.outcome = .completed
        return summary
    }

    func message(_ side: MessageSide) throws -> Message? {
        guard side == .response else { return try subject.message(side) }
        let length = Int64(body.count)
        return Message(head: answer.head(length: body.count), body: Body(length: length, kept: length, sha256: []))
    }

    func body(_ side: MessageSide, offset: Int64, limitBytes: Int) throws -> [UInt8] {
        guard side == .response else { return try subject.body(side, offset: offset, limitBytes: limitBytes) }
        return Array(body.dropFirst(Int(offset)).prefix(limitBytes))
    }

    func messages(after number: Int64) -> [StreamMessage] { [] }
}
