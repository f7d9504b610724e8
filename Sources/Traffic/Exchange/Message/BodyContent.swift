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

    /// Bytes that are weighed together.
    private static let stepBytes = 16 * 1024

    /// How to write it.
    package private(set) var form: Form
    /// The content codings that were undone, in the order they were applied.
    package let codings: [String]
    private let body: Body
    /// The codings that the kept bytes still have.
    private let remaining: [String]
    /// The charset of the kept bytes, once they are decoded; `nil` where they are no text.
    private let charset: Charset?
    /// Decoded length of what is kept.
    private var wholeLength = 0
    /// Why what is kept is not the whole body as its author wrote it; `nil` when it is.
    private var wholeProblem: String?
    /// Leading decoded bytes that are written, and the bytes of the wire they come from; `nil` where all that is kept is written.
    private var cut: (bytes: Int, onWire: Int64)?

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
            wholeLength = Int(clamping: archived.size)
            charset = .utf8
            if archived.form == .text { form = .text(Charset.of(type) ?? .utf8) }
            wholeProblem = archived.problem
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
        wholeLength = count
        if coded.isIdentity, !codings.isEmpty { decoder = nil }
        if let charset, let decoder, decoder.isWhole || body.isTruncated { form = .text(charset) }
        wholeProblem = body.problem(decoding: coded.problem)
    }

    /// Decoded length of what is written.
    package var length: Int { cut?.bytes ?? wholeLength }

    /// Whether less is written than what is kept.
    package var isCut: Bool { cut != nil }

    /// Leading bytes of what passed that are written, in whatever form.
    package var keptOnWire: Int64 { cut?.onWire ?? body.keptOnWire }

    /// Why this is not the whole body as its author wrote it; `nil` when it is.
    package var problem: String? {
        guard let cut else { return wholeProblem }
        guard !isPlain else {
            return Body(length: body.length, kept: cut.onWire, sha256: []).problem(decoding: nil)
        }
        let sentence = "Only the first \(cut.bytes) bytes of its content were exported."
        return wholeProblem.map { "\($0) \(sentence)" } ?? sentence
    }

    /// Whether the decoded bytes are those of the wire.
    private var isPlain: Bool { remaining.isEmpty && body.archived == nil }

    /// The most bytes that a string of it has in JSON: a control character has six.
    package var mostJSONBytes: Int64 { form == .base64 ? (written + 2) / 3 * 4 : written * 6 }

    /// Decoded bytes that are written; `length` may be what another program counted.
    private var written: Int64 {
        if let cut { return Int64(cut.bytes) }
        return body.archived == nil ? Int64(wholeLength) : body.kept
    }

    /// Leaves out all of it: nothing is read or written.
    package mutating func leaveOut() { cut = (0, 0) }

    /// Reads a body again and cuts the content to what fits into a string of JSON, between two characters of a text.
    ///
    /// - Parameters:
    ///   - jsonBytes: bytes of the string, without its quotes.
    ///   - textBytes: bytes of the string without the backslashes of escapes.
    ///   - source: its bytes.
    /// - Returns: the bytes of the string, without its quotes.
    /// - Throws: what `source` throws.
    package mutating func fit(jsonBytes: Int64, textBytes: Int64, source: BodySource) throws -> Int64 {
        guard form != .base64, let charset else {
            let most = max(0, min(jsonBytes, textBytes)) / 4 * 3
            if written > most { try shorten(to: Int(most), source) }
            return mostJSONBytes
        }
        var decoder = TextDecoder(charset)
        var (json, text): (Int64, Int64) = (0, 0)
        var taken = 0
        var isFull = false
        let end = Int(clamping: written)
        var scratch: [UInt8] = []
        _ = try BodyContent.decode(body, remaining, source, goesOn: { !isFull && taken < end }) { piece in
            var rest = piece.prefix(end - taken)
            var step = BodyContent.stepBytes
            while !isFull, !rest.isEmpty {
                let part = rest.prefix(step)
                var next = decoder
                scratch.removeAll(keepingCapacity: true)
                _ = next.decode(UnsafeRawBufferPointer(rebasing: part), into: &scratch)
                let weight = JSONWriter.weight(utf8: scratch)
                if json + weight.json <= jsonBytes, text + weight.text <= textBytes {
                    decoder = next
                    (json, text, taken) = (json + weight.json, text + weight.text, taken + part.count)
                    rest = rest.dropFirst(part.count)
                } else if step > 1 {
                    step /= 2
                } else {
                    isFull = true
                }
            }
        }
        if isFull { try shorten(to: taken - decoder.pendingCount, source) }
        return json
    }

    private mutating func shorten(to bytes: Int, _ source: BodySource) throws {
        guard !isPlain else {
            cut = (bytes, Int64(bytes))
            return
        }
        var (count, offset): (Int, Int64) = (0, 0)
        func counted(_ from: Int64, _ limitBytes: Int) throws -> [UInt8] {
            let piece = try source(from, limitBytes)
            offset = from + Int64(piece.count)
            return piece
        }
        _ = try BodyContent.decode(body, remaining, counted, goesOn: { count < bytes }) { count += $0.count }
        // The body is not whole, even if its last byte on the wire had to be read.
        cut = (bytes, max(0, min(offset, body.keptOnWire, body.length - 1)))
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
        var left = cut?.bytes ?? .max
        _ = try BodyContent.decode(body, remaining, source, goesOn: { failure == nil && left > 0 }) { whole in
            let piece = UnsafeRawBufferPointer(rebasing: whole.prefix(left))
            guard !piece.isEmpty else { return }
            left -= piece.count
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
