/// A kept body with its content codings undone, whole in memory: what lenses, checks and comparisons read.
package struct CapturedBody: Sendable {
    /// Decoded bytes that are read of a body, unless told otherwise: 64 MiB.
    package static let limitBytes = 64 << 20
    /// Bytes read from the source at a time.
    private static let pieceBytes = 256 << 10

    /// The decoded bytes.
    package let bytes: [UInt8]
    /// The charset that its type names, UTF-8 where it names none; `nil` for one that cannot be read.
    package let charset: Charset?
    /// Why it is not the whole body as its author wrote it; `nil` when it is.
    package let problem: String?
    /// Whether we kept less of it than passed, or read less; no check may judge how such a body ends.
    package let isCut: Bool

    /// No body.
    package static let none = CapturedBody(bytes: [], charset: .utf8, problem: nil)

    package init(bytes: [UInt8], charset: Charset? = .utf8, problem: String? = nil, isCut: Bool = false) {
        self.bytes = bytes
        self.charset = charset
        self.problem = problem
        self.isCut = isCut
    }

    /// Reads and decodes a body.
    ///
    /// - Parameters:
    ///   - message: whose body.
    ///   - limitBytes: no more decoded bytes than this are read; `problem` says so.
    ///   - source: its kept bytes.
    /// - Throws: what `source` throws.
    package init(of message: Message, limitBytes: Int = CapturedBody.limitBytes, source: BodySource) throws {
        let fields = message.fields
        let decoder = ContentDecoder(
            names: message.body.archived == nil ? ContentCoding.names(of: fields) : [],
            limitBytes: limitBytes
        )
        var bytes: [UInt8] = []
        var offset: Int64 = 0
        while !decoder.isStopped {
            let piece = try source(offset, CapturedBody.pieceBytes)
            guard !piece.isEmpty else { break }
            decoder.write(piece) { bytes.append(contentsOf: $0) }
            offset += Int64(piece.count)
        }
        decoder.finish(isWhole: !message.body.isTruncated) { bytes.append(contentsOf: $0) }
        self.bytes = bytes
        charset = Charset.of(MediaType(fields.first("Content-Type")))
        problem = message.body.problem(decoding: decoder.problem)
        isCut = message.body.isTruncated || decoder.isCut
    }

    package var isEmpty: Bool { bytes.isEmpty }

    /// The body as text, up to the first bytes that are invalid in its charset.
    package var text: String {
        var decoder = TextDecoder(charset ?? .windows1252)
        var text: [UInt8] = []
        _ = bytes.withUnsafeBytes { decoder.decode($0, into: &text) }
        return ByteText.repaired(text)
    }
}
