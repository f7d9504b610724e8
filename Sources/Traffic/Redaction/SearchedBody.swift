/// A body prepared for the search for secrets: with its codings undone, declared or not, and in UTF-8 where it is a text.
struct SearchedBody {
    /// Bytes of a picture that are looked at before it is left alone.
    private static let beginningBytes = 4_096

    /// A text whose bytes were taken for UTF-16; all or some of them may be another text all the same.
    struct Wide {
        let bytes: [UInt8]
        let charset: Charset

        /// The places in the text that parts of the bytes come from, extended to whole characters.
        func places(of parts: [Range<Int>], in text: [UInt8]) -> [Range<Int>] {
            guard !parts.isEmpty else { return [] }
            // A character has four bytes at most.
            let marks = Set(parts.flatMap { [$0.lowerBound, $0.upperBound + 4] }).sorted()
            var places: [Int: Int] = [:]
            var decoder = TextDecoder(charset, .replacing)
            var (before, index) = ([UInt8](), 0)
            for mark in marks {
                let next = min(mark, bytes.count)
                _ = bytes[index..<next].withUnsafeBytes { decoder.decode($0, into: &before) }
                places[mark] = mark < bytes.count ? min(before.count, text.count) : text.count
                index = next
            }
            return parts.map { (places[$0.lowerBound] ?? 0)..<(places[$0.upperBound + 4] ?? text.count) }
        }
    }

    /// The kind of content to search.
    enum Content {
        /// A text.
        case text
        /// No text: a picture, an archive, a binary message.
        case bytes
        /// Content with a coding that cannot be undone.
        case coded
    }

    /// The bytes to search: for a text in UTF-16 its UTF-8, for a picture none.
    let bytes: [UInt8]
    let content: Content
    /// Whether the body has more than could be decoded, or than is searched.
    private(set) var isCut: Bool
    /// Whether the bytes are those that were kept, with nothing undone but declared codings.
    let isAsDeclared: Bool
    /// The bytes before an undeclared coding was undone.
    ///
    /// They are searched too, because the guess may hide a secret, and more may follow the coded part.
    let packed: [UInt8]?
    /// The bytes before they were read as UTF-16; they are searched too.
    let wide: Wide?
    /// How many bytes were decoded to look for an undeclared coding, also where none was found.
    let unpackedBytes: Int

    /// Reads and decodes a body.
    ///
    /// - Parameters:
    ///   - message: whose body.
    ///   - limitBytes: decoded bytes that are searched.
    ///   - source: its kept bytes.
    /// - Throws: what `source` throws.
    init(of message: Message, limitBytes: Int, source: BodySource) throws {
        let type = MediaType(message.fields.first("Content-Type"))
        let codings = message.codings
        if type?.isBinary == true, codings.isEmpty {
            // Pictures and films are many and large, and their first bytes show that they are no text.
            let beginning = try source(0, SearchedBody.beginningBytes)
            if beginning.contains(where: SearchedBody.isControl), SearchedBody.coding(beginning) == nil,
                SearchedBody.wide(beginning, nil) == nil
            {
                self.init([], .bytes, isCut: false)
                return
            }
        }
        let decoder = ContentDecoder(names: codings, limitBytes: limitBytes)
        var decoded: [UInt8] = []
        var offset: Int64 = 0
        while !decoder.isStopped {
            let piece = try source(offset, 256 << 10)
            guard !piece.isEmpty else { break }
            offset += Int64(piece.count)
            decoder.write(piece) { decoded += $0 }
        }
        decoder.finish(isWhole: !message.body.isTruncated) { decoded += $0 }
        if decoder.leavesCodings, decoder.isIdentity || !SearchedBody.isText(decoded) {
            self.init(decoded, .coded, isCut: true)
            return
        }
        self.init(decoded, charset: message.charset(of: type), limitBytes: limitBytes)
        if decoder.problem != nil && !decoder.isIdentity || decoder.isStopped { isCut = true }
    }

    /// Reads bytes that no head describes, such as the payload of a message.
    ///
    /// - Parameters:
    ///   - kept: the bytes, with declared codings undone.
    ///   - charset: the charset of a text, where a head names it.
    ///   - limitBytes: decoded bytes that are searched.
    init(_ kept: [UInt8], charset: Charset? = nil, limitBytes: Int) {
        let (undone, count) = SearchedBody.undeclared(kept, limitBytes: limitBytes)
        unpackedBytes = count
        packed = undone == nil ? nil : kept
        let plain = undone?.bytes ?? kept
        let charset = SearchedBody.wide(plain, undone == nil ? charset : nil)
        let text = charset.flatMap { SearchedBody.utf8(plain, $0) }
        wide = text == nil ? nil : charset.map { Wide(bytes: plain, charset: $0) }
        bytes = text ?? plain
        content = SearchedBody.content(of: bytes)
        isAsDeclared = undone == nil && text == nil
        isCut = undone?.problem != nil
    }

    /// A body in which nothing undeclared is undone.
    private init(_ bytes: [UInt8], _ content: Content, isCut: Bool) {
        (self.bytes, self.content, self.isCut) = (bytes, content, isCut)
        (isAsDeclared, packed, wide, unpackedBytes) = (true, nil, nil, 0)
    }

    /// The body without a coding that no field declares, `nil` where it has none; and how many bytes were decoded.
    private static func undeclared(_ bytes: [UInt8], limitBytes: Int) -> (body: DecodedBody?, unpackedBytes: Int) {
        guard let name = coding(bytes) else { return (nil, 0) }
        let undone = ContentCoding.decode(bytes, names: [name], limitBytes: limitBytes)
        let count = undone.bytes.count
        guard undone.bytes != bytes, count > 0 else { return (nil, count) }
        // Many texts begin with the two bytes of a zlib header, so a body counts as deflate only where all of it decodes, or more than is searched.
        guard name != "deflate" || undone.problem == nil || count >= limitBytes else { return (nil, count) }
        return (undone, count)
    }

    /// The coding that bytes begin like (RFC 1952 §2.3.1, RFC 8878 §3.1.1, RFC 1950 §2.2).
    private static func coding(_ bytes: [UInt8]) -> String? {
        let marks: [(mark: [UInt8], name: String)] = [
            ([0x1F, 0x8B, 0x08], "gzip"), ([0x28, 0xB5, 0x2F, 0xFD], "zstd"), ([0x78, 0x01], "deflate"),
            ([0x78, 0x5E], "deflate"), ([0x78, 0x9C], "deflate"), ([0x78, 0xDA], "deflate"),
        ]
        return marks.first { bytes.starts(with: $0.mark) }?.name
    }

    /// A text in UTF-16 as UTF-8, even where it is cut within a character; `nil` where it is no text.
    private static func utf8(_ bytes: [UInt8], _ charset: Charset) -> [UInt8]? {
        var decoder = TextDecoder(charset, .replacing)
        var text: [UInt8] = []
        guard bytes.withUnsafeBytes({ decoder.decode($0, into: &text) }) else { return nil }
        decoder.finish(into: &text)
        // Pictures and the like may begin with the same mark.
        return decoder.strangeBytes <= 8 + bytes.count / 16 ? text : nil
    }

    /// The kind of UTF-16 that a text is in: by its mark, by its head, or because every other byte is zero; `nil` for any other text.
    ///
    /// The head is not believed where nearly all bytes are ASCII: reading them as UTF-16 would hide their text.
    private static func wide(_ bytes: [UInt8], _ charset: Charset?) -> Charset? {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return .utf16 }
        if let charset, [.utf16, .utf16LE, .utf16BE].contains(charset) {
            return bytes.count { (0x09...0x7E).contains($0) } * 10 < bytes.count * 9 ? charset : nil
        }
        let start = bytes.prefix(beginningBytes)
        var zeros = [0, 0]
        for index in start.indices where start[index] == 0 { zeros[index % 2] += 1 }
        let units = start.count / 2
        guard units >= 4 else { return nil }
        if zeros[1] * 10 >= units * 7, zeros[0] * 10 <= units { return .utf16LE }
        if zeros[0] * 10 >= units * 7, zeros[1] * 10 <= units { return .utf16BE }
        return nil
    }

    private static func content(of bytes: [UInt8]) -> Content { bytes.contains(where: isControl) ? .bytes : .text }

    /// Whether bytes that were said to be coded are a text all the same, so that secrets in them are found.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        !bytes.contains(where: isControl) && String(validating: bytes, as: UTF8.self) != nil
    }

    /// Whether a byte occurs in no text.
    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && !(0x09...0x0D).contains(byte) && byte != 0x1B
    }
}
