/// The text of a decoded body, piece by piece: what a search sees of it.
package enum BodyText {
    /// Decoded bytes of a body that are looked at: 32 MiB.
    package static let limitBytes = 32 << 20
    /// Bytes read at a time.
    package static let pieceBytes = 64 << 10
    /// A body whose type does not call it text is judged after each stretch of so many decoded bytes.
    private static let stretchBytes = 1 << 10
    /// It is not text when more than one byte in so many is invalid in its charset.
    private static let strangeShare = 8

    /// Gives the text of a subject's body, as the other `read` does, and tells the subject where it has more text than is looked at.
    ///
    /// - Parameters:
    ///   - side: whose body.
    ///   - subject: the exchange.
    ///   - message: the side's message.
    ///   - give: takes a piece; false when nothing more is wanted.
    /// - Throws: what the subject throws.
    package static func read(
        _ side: MessageSide,
        of subject: some FilterSubject,
        _ message: Message,
        _ give: (UnsafeRawBufferPointer) -> Bool
    ) throws {
        // The bytes of a WebSocket are frames; its messages are the text.
        guard subject.summary.version != .webSocket else { return }
        guard let decoded = subject.decoded else { return try decode(side, of: subject, message, give) }
        let text = try decoded.text(side) { try decode(side, of: subject, message, $0) }
        if !text.isEmpty { _ = text.withUnsafeBytes(give) }
    }

    private static func decode(
        _ side: MessageSide,
        of subject: some FilterSubject,
        _ message: Message,
        _ give: (UnsafeRawBufferPointer) -> Bool
    ) throws {
        let fields = message.fields
        let kind = Kind(fields.first("Content-Type"))
        let isCut = try read(message, kind, codings: message.codings(in: fields)) { offset, limitBytes in
            try subject.body(side, offset: offset, limitBytes: limitBytes)
        } _: {
            give($0)
        }
        if isCut { subject.noteCut(side) }
    }

    /// Gives the text as UTF-8 with whole scalars until it ends, turns out to be no text, or nothing more is wanted.
    ///
    /// Invalid bytes become U+FFFD, or Windows-1252 where the type names no charset. Escapes such as `\u00fc` are given as the letters they stand
    /// for. Only a body whose type does not call it text ends where it turns out to be binary.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - kind: what its type says of the text.
    ///   - codings: its content codings, in the order they were applied.
    ///   - body: gives kept bytes of the body from an offset, so many at most; empty at the end.
    ///   - give: takes a piece; false when nothing more is wanted.
    /// - Returns: whether the body has more text than is looked at.
    /// - Throws: what `body` throws.
    package static func read(
        _ message: Message,
        _ kind: Kind,
        codings: [String],
        from body: (_ offset: Int64, _ limitBytes: Int) throws -> [UInt8],
        _ give: (UnsafeRawBufferPointer) -> Bool
    ) throws -> Bool {
        guard message.body.length > 0, !kind.isBinary else { return false }
        let charset = message.charset(naming: kind.charset)
        // A charset we cannot read is still mostly ASCII.
        var reader = Reader(
            TextDecoder(charset ?? .windows1252, kind.namesCharset ? .replacing : .guessing),
            isSurelyText: kind.isSurelyText
        )
        let decoder = ContentDecoder(names: codings, limitBytes: limitBytes)
        guard decoder.isIdentity == codings.isEmpty else { return false }
        var isWanted = true
        func take(_ piece: UnsafeRawBufferPointer) {
            if isWanted { isWanted = reader.take(piece, give) }
        }
        var offset: Int64 = 0
        while isWanted, !decoder.isStopped {
            let coded = try body(offset, pieceBytes)
            guard !coded.isEmpty else { break }
            offset += Int64(coded.count)
            decoder.write(coded, take)
        }
        if isWanted { decoder.finish(isWhole: false, take) }
        if isWanted { reader.finish(give) }
        return decoder.isCut
    }

    /// What a body's Content-Type says of its text.
    package struct Kind: Sendable {
        /// Whether the body is no text.
        let isBinary: Bool
        let isSurelyText: Bool
        let namesCharset: Bool
        /// The charset that it names, else UTF-8; `nil` for one we cannot read.
        let charset: Charset?

        /// Reads a field's value.
        package init(_ field: String?) {
            let type = MediaType(field)
            isBinary = type?.isBinary == true
            isSurelyText = type.map { $0.isTextual || $0.type == "multipart" } ?? false
            namesCharset = type?.charset != nil
            charset = Charset.of(type)
        }
    }

    /// What turns decoded bytes into the text that is given.
    private struct Reader {
        private var decoder: TextDecoder
        private var escapes = TextEscapes()
        private let isSurelyText: Bool
        /// Bytes that came.
        private var count = 0
        private var decoded: [UInt8] = []
        private var text: [UInt8] = []

        init(_ decoder: TextDecoder, isSurelyText: Bool) {
            self.decoder = decoder
            self.isSurelyText = isSurelyText
        }

        /// Takes the next bytes; false when no more are wanted, or it is no text.
        mutating func take(_ piece: UnsafeRawBufferPointer, _ give: (UnsafeRawBufferPointer) -> Bool) -> Bool {
            // Nearly all text is such, and is given without a copy.
            if decoder.strangeBytes == 0, decoder.passes(piece), escapes.passes(piece) {
                count += piece.count
                return give(piece)
            }
            decoded.removeAll(keepingCapacity: true)
            var isText = true
            var rest = piece[...]
            while isText, !rest.isEmpty {
                // Judged at fixed places, whatever the pieces are, so that the same body always ends at the same place.
                let stretch = isSurelyText ? rest : rest.prefix(stretchBytes - count % stretchBytes)
                _ = decoder.decode(UnsafeRawBufferPointer(rebasing: stretch), into: &decoded)
                count += stretch.count
                rest = rest.dropFirst(stretch.count)
                isText = isSurelyText || count % stretchBytes > 0 || decoder.strangeBytes * strangeShare <= count
            }
            return pass(give) && isText
        }

        /// Gives what was held back.
        mutating func finish(_ give: (UnsafeRawBufferPointer) -> Bool) {
            decoded.removeAll(keepingCapacity: true)
            decoder.finish(into: &decoded)
            guard pass(give) else { return }
            text.removeAll(keepingCapacity: true)
            escapes.finish(into: &text)
            if !text.isEmpty { _ = text.withUnsafeBytes(give) }
        }

        private mutating func pass(_ give: (UnsafeRawBufferPointer) -> Bool) -> Bool {
            text.removeAll(keepingCapacity: true)
            escapes.decode(decoded, into: &text)
            return text.isEmpty || text.withUnsafeBytes(give)
        }
    }
}
