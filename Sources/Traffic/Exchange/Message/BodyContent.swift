/// The kept bytes of a body, readable piece by piece: `(offset, limitBytes)` in, the bytes there out, empty at the end.
package typealias BodySource = (_ offset: Int64, _ limitBytes: Int) throws -> [UInt8]

/// What a body decodes to, measured in one pass so that a second can write it without holding it.
package struct BodyContent: Sendable {
    /// How the decoded bytes are written into JSON.
    package enum Form: Hashable, Sendable {
        /// As text, from this charset.
        case text(Charset)
        /// As base64.
        case base64
    }

    /// Decoded bytes beyond this are left out of an export, and its problem says so: 1 GiB.
    package static let limitBytes = 1 << 30
    /// Bytes read from the source at a time.
    private static let pieceBytes = 256 * 1024

    /// Decoded length of what is kept.
    package private(set) var length = 0
    /// How to write it.
    package private(set) var form: Form
    /// Why this is not the whole body as its author wrote it; `nil` when it is.
    package private(set) var problem: String?
    /// The content codings that were undone, in the order they were applied.
    package let codings: [String]
    private let body: Body
    /// The codings that the kept bytes still have.
    private let remaining: [String]
    /// The charset of the kept bytes, once they are decoded; `nil` where they are no text.
    private let charset: Charset?

    /// Reads a body once.
    ///
    /// - Parameters:
    ///   - body: the body's measure.
    ///   - fields: its message's field lines, for type and codings.
    ///   - source: its bytes.
    /// - Throws: what `source` throws.
    package init(_ body: Body, fields: HeaderList, source: BodySource) throws {
        let type = MediaType(fields.first("Content-Type"))
        self.body = body
        codings = ContentCoding.names(of: fields)
        remaining = body.archived == nil ? codings : []
        form = .base64
        if let archived = body.archived {
            // Its form was settled when the archive was written.
            length = Int(clamping: archived.size)
            charset = .utf8
            if archived.form == .text { form = .text(Charset.of(type) ?? .utf8) }
            problem = archived.problem
            return
        }
        charset = type?.isBinary == true ? nil : Charset.of(type)
        var decoder = charset.map { TextDecoder($0) }
        var scratch: [UInt8] = []
        var count = 0
        let coded = try BodyContent.decode(body, remaining, source, goesOn: { true }) { piece in
            count += piece.count
            scratch.removeAll(keepingCapacity: true)
            if decoder?.decode(piece, into: &scratch) == false { decoder = nil }
        }
        length = count
        if coded.isIdentity, !codings.isEmpty { decoder = nil }
        if let charset, let decoder, decoder.isWhole || body.isTruncated { form = .text(charset) }
        problem = body.problem(decoding: coded.problem)
    }

    /// Reads a body again and writes it into the open string of a writer, handing bytes on as they come.
    package func write(
        to json: inout JSONWriter,
        source: BodySource,
        handOn: (inout JSONWriter) throws -> Void
    ) throws {
        var base64 = Base64Encoder()
        var decoder: TextDecoder? = if case .text = form { charset.map { TextDecoder($0) } } else { nil }
        var scratch: [UInt8] = []
        var failure: (any Error)?
        _ = try BodyContent.decode(body, remaining, source, goesOn: { failure == nil }) { piece in
            scratch.removeAll(keepingCapacity: true)
            if decoder != nil {
                _ = decoder?.decode(piece, into: &scratch)
                json.append(utf8: scratch)
            } else {
                base64.encode(piece, into: &scratch)
                json.append(ascii: scratch)
            }
            do {
                if failure == nil { try handOn(&json) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        scratch.removeAll(keepingCapacity: true)
        base64.finish(into: &scratch)
        json.append(ascii: scratch)
    }

    private static func decode(
        _ body: Body,
        _ codings: [String],
        _ source: BodySource,
        goesOn: () -> Bool,
        _ give: (UnsafeRawBufferPointer) -> Void
    ) throws -> ContentDecoder {
        let decoder = ContentDecoder(names: codings, limitBytes: limitBytes)
        var offset: Int64 = 0
        while goesOn(), !decoder.isStopped {
            let piece = try source(offset, pieceBytes)
            guard !piece.isEmpty else { break }
            decoder.write(piece, give)
            offset += Int64(piece.count)
        }
        if goesOn() { decoder.finish(isWhole: !body.isTruncated, give) }
        return decoder
    }
}
