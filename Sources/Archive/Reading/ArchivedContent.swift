import NIOCore
import Traffic

/// A body as an archive holds it, and the body that the record gets.
struct ArchivedContent {
    /// The measure of the passed body in an archive of ours.
    struct Measure {
        var size: Int64
        var kept: Int64
        var sha256: [UInt8]
    }

    /// Decoded bytes, or the text in UTF-8.
    var bytes: [UInt8]
    /// Whether the archive holds it as a text.
    var isText: Bool
    /// The decoded length by the archive; `nil` where it does not say.
    var size: Int64?
    /// The bytes on the wire by the archive; `nil` where it does not say.
    var wireSize: Int64?
    /// What the archive says is missing.
    var problem: String?
    /// The measure in an archive of ours; `nil` in other archives.
    var measure: Measure?

    /// Makes the measure of the body, and the bytes to keep.
    ///
    /// Bytes that are those of the wire, as far as can be told, are kept as such; all others are marked with what they are.
    ///
    /// - Parameters:
    ///   - fields: the message's.
    ///   - digest: SHA-256.
    /// - Returns: the body and its bytes.
    func body(_ fields: HeaderList, digest: ([UInt8]) -> [UInt8]) -> (body: Body, bytes: [UInt8]) {
        let isCoded = !ContentCoding.names(of: fields).isEmpty
        let type = MediaType(fields.first("Content-Type"))
        let exact = wireBytes(Charset.of(type))
        if let measure {
            guard !bytes.isEmpty else {
                return (Body(length: measure.size, kept: 0, sha256: measure.sha256), [])
            }
            if let exact, Int64(exact.count) == measure.kept {
                let isWhole = measure.kept == measure.size
                let found = isWhole ? digest(exact) : measure.sha256
                // Bytes with the digest of the passed body are that body, whatever codings the head names.
                if !isCoded || isWhole && found == measure.sha256 {
                    return (Body(length: measure.size, kept: measure.kept, sha256: found), exact)
                }
            }
            return archived(length: measure.size, kept: measure.kept, sha256: measure.sha256)
        }
        let wire = wireSize.flatMap { $0 > 0 ? $0 : nil }
        guard !bytes.isEmpty else {
            return (Body(length: wire ?? max(0, size ?? 0), kept: 0, sha256: []), [])
        }
        let isCut = (size ?? 0) > Int64(exact?.count ?? .max)
        if let exact, !isCoded {
            let length = isCut ? size ?? 0 : Int64(exact.count)
            return (Body(length: length, kept: Int64(exact.count), sha256: isCut ? [] : digest(exact)), exact)
        }
        let length = wire ?? Int64(bytes.count)
        return archived(length: length, kept: isCut ? length - 1 : length, sha256: [])
    }

    private func archived(length: Int64, kept: Int64, sha256: [UInt8]) -> (body: Body, bytes: [UInt8]) {
        var body = Body(length: length, kept: Int64(bytes.count), sha256: sha256)
        body.archived = ArchivedBody(
            form: isText ? .text : .decoded,
            size: measure == nil ? Int64(bytes.count) : size ?? Int64(bytes.count),
            kept: kept,
            problem: problem
        )
        return (body, bytes)
    }

    /// The bytes in the charset that the head names; `nil` when that cannot be told.
    private func wireBytes(_ charset: Charset?) -> [UInt8]? {
        guard isText, charset != .utf8 else { return bytes }
        guard let charset, charset.upperHalf != nil else {
            let isWide = [.utf16, .utf16LE, .utf16BE].contains(charset)
            return isWide || bytes.contains { $0 >= 0x80 } ? nil : bytes
        }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            guard let byte = charset.byte(scalar.value) else { return nil }
            out.append(byte)
        }
        return out
    }
}
