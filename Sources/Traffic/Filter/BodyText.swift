/// The text of a decoded body, piece by piece: what a search sees of it.
package enum BodyText {
    /// Decoded bytes of a body that are looked at: 32 MiB.
    package static let limitBytes = 32 << 20
    /// Bytes read at a time.
    private static let pieceBytes = 64 << 10

    /// Gives the text as UTF-8 with whole scalars until it ends, turns out to be no text, or nothing more is wanted.
    ///
    /// - Parameters:
    ///   - side: whose body.
    ///   - subject: the exchange.
    ///   - message: the side's message.
    ///   - give: takes a piece; false when nothing more is wanted.
    /// - Returns: whether there is more of it than is looked at.
    /// - Throws: what the subject throws.
    @discardableResult
    package static func read(
        _ side: MessageSide,
        of subject: some FilterSubject,
        _ message: Message,
        _ give: (UnsafeRawBufferPointer) -> Bool
    ) throws -> Bool {
        // The bytes of a WebSocket are frames; its messages are the text.
        guard subject.summary.version != .webSocket, message.body.length > 0 else { return false }
        let fields = message.fields
        let type = MediaType(fields.first("Content-Type"))
        guard type?.isBinary != true else { return false }
        // A charset we cannot read is still mostly ASCII.
        var text = TextDecoder(message.charset(of: type) ?? .windows1252)
        let codings = message.codings
        let decoder = ContentDecoder(names: codings, limitBytes: limitBytes)
        guard decoder.isIdentity == codings.isEmpty else { return false }
        var isWanted = true
        var scratch: [UInt8] = []
        func take(_ piece: UnsafeRawBufferPointer) {
            guard isWanted else { return }
            scratch.removeAll(keepingCapacity: true)
            let isText = text.decode(piece, into: &scratch)
            isWanted = scratch.withUnsafeBytes(give) && isText
        }
        var offset: Int64 = 0
        while isWanted, !decoder.isStopped {
            let coded = try subject.body(side, offset: offset, limitBytes: pieceBytes)
            guard !coded.isEmpty else { break }
            offset += Int64(coded.count)
            decoder.write(coded, take)
        }
        if isWanted { decoder.finish(isWhole: false, take) }
        if decoder.isCut { subject.noteCut(side) }
        return decoder.isCut
    }
}
