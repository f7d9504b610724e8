import NIOCore

/// A body before and after a dry run of the rules that edit it.
package struct TriedBody: Sendable {
    let side: MessageSide
    let message: Message
    /// The head that would have been sent.
    let sentHead: ByteBuffer
    /// The recorded content, as sent.
    let before: [UInt8]
    /// The content as it would have been sent, coded as `sentHead` says; its beginning, where it is longer than bodies are kept for rules.
    package let after: [UInt8]
    /// Bytes of the content as it would have been sent, all of it.
    package let length: Int64

    /// What differs, both decoded: values of JSON by their paths, items of forms, lines of texts.
    package var differences: [Difference] {
        var found = CaptureDifference()
        BodyDiff(side: side, noise: .none).compare(content(before, message.head), content(after, sentHead), &found)
        return found.differences
    }

    private func content(_ bytes: [UInt8], _ head: ByteBuffer) -> BodyDiff.Content {
        var message = message
        if head != message.head { message.head = head }
        message.body.length = Int64(bytes.count)
        message.body.kept = message.body.length
        let codings = message.codings(in: message.fields)
        let decoded = ContentCoding.decode(bytes, names: codings, limitBytes: BodyDiff.limitBytes)
        let charset = message.charset(of: MediaType(message.fields.first("Content-Type")))
        return BodyDiff.Content(
            message: message,
            body: CapturedBody(bytes: decoded.bytes, charset: charset, problem: decoded.problem)
        )
    }
}

extension RuleTrial {
    /// Edits a recorded body as the proxy would have edited it.
    ///
    /// - Parameters:
    ///   - editor: what the rules do to it; it is told of all that is kept.
    ///   - side: whose body.
    ///   - subject: the exchange.
    ///   - message: the side's message.
    ///   - isKept: whether the body is whole before any of it goes on.
    ///   - sentHead: its head as the rules leave it.
    ///   - isWanted: whether somebody waits for it still; where nobody does, what it gives means nothing.
    /// - Returns: the body; `nil` where nothing changes.
    /// - Throws: what the subject throws.
    static func edited(
        _ editor: inout BodyEditor,
        _ side: MessageSide,
        of subject: some FilterSubject,
        _ message: Message,
        _ isKept: Bool,
        sentHead: ByteBuffer,
        while isWanted: @escaping () -> Bool
    ) throws -> TriedBody? {
        let limit = editor.limitBytes
        if editor.needsWhole, let gap = try RuleGap.atHead(of: side, subject) {
            editor.skip(gap)
            return nil
        }
        let isBrokenOff = try RuleGap.isBrokenOff(side, subject)
        if editor.needsWhole, isBrokenOff {
            editor.skip(side == .response ? RuleGap.brokenOff : RuleGap.notWhole)
            return nil
        }
        if editor.needsWhole, message.body.isTruncated || message.body.kept > limit {
            editor.skip(message.body.length > limit ? RuleGap.over(limit) : "the body was not kept whole")
            return nil
        }
        let isWhole = editor.needsWhole || isKept
        var (before, after) = (ByteBuffer(), ByteBuffer())
        func keep(_ more: ByteBuffer, in kept: inout ByteBuffer) {
            let room = limit - kept.readableBytes
            if room > 0, let part = more.getSlice(at: more.readerIndex, length: min(room, more.readableBytes)) {
                kept.writeImmutableBuffer(part)
            }
        }
        var (offset, length): (Int64, Int64) = (0, 0)
        func send(_ more: ByteBuffer) {
            length += Int64(more.readableBytes)
            keep(more, in: &after)
        }
        while true {
            let bytes = try subject.body(side, offset: offset, limitBytes: BodyText.pieceBytes)
            guard !bytes.isEmpty else { break }
            offset += Int64(bytes.count)
            keep(ByteBuffer(bytes: bytes), in: &before)
            if !isWhole { send(editor.take(ByteBuffer(bytes: bytes), while: isWanted)) }
        }
        let lacksRest = message.body.isTruncated || isBrokenOff
        if isWhole {
            guard let edited = editor.edit(kept: before, isWhole: !lacksRest, while: isWanted) else { return nil }
            send(edited)
        } else if !lacksRest {
            send(editor.finish(while: isWanted))
        }
        if message.body.isTruncated {
            length += max(0, message.body.length - offset)
            editor.skip("the rest of the body was not kept")
        } else if isBrokenOff {
            editor.skip(RuleGap.notWhole)
        }
        guard editor.notes.contains(where: { !$0.what.isEmpty }) || editor.recodes else { return nil }
        return TriedBody(
            side: side,
            message: message,
            sentHead: sentHead,
            before: Array(before.readableBytesView),
            after: Array(after.readableBytesView),
            length: length
        )
    }
}
