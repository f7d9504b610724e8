/// A content coding whose bytes can be read (RFC 9110 §8.4.1, RFC 7932, RFC 8878).
package enum ContentCoding: String, Hashable, Sendable, CaseIterable {
    case gzip
    /// The zlib format by the standard, raw DEFLATE from some servers; both are read.
    case deflate
    case brotli = "br"
    case zstd

    /// The coding of a name in a Content-Encoding field, ignoring case; `nil` for one we cannot read.
    package init?(name: String) {
        switch name.lowercased() {
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        case "br": self = .brotli
        case "zstd": self = .zstd
        default: return nil
        }
    }

    /// The names in Content-Encoding fields, in the order they were applied, without `identity`.
    package static func names(_ fields: [String]) -> [String] {
        fields.flatMap { $0.utf8.split(separator: ASCII.comma) }
            .map { ASCII.lower(ByteText.repaired($0.filter { !ASCII.isBlank($0) })) }
            .filter { !$0.isEmpty && $0 != "identity" }
    }

    /// The names in a message's Content-Encoding fields, in the order they were applied.
    package static func names(of fields: HeaderList) -> [String] {
        names(fields.values("Content-Encoding"))
    }

    /// Whether a body that begins with some bytes may have the coding; only gzip and zstd begin with bytes that tell.
    func mayBegin(_ bytes: some Collection<UInt8>) -> Bool {
        func begins(_ mark: [UInt8]) -> Bool { bytes.starts(with: mark.prefix(bytes.count)) }
        return switch self {
        case .gzip: begins([0x1F, 0x8B])
        case .zstd: begins([0x28, 0xB5, 0x2F, 0xFD]) || (0x50...0x5F).contains { begins([$0, 0x2A, 0x4D, 0x18]) }
        case .deflate, .brotli: true
        }
    }

    /// Undoes the codings of a whole body.
    ///
    /// - Parameters:
    ///   - bytes: the body as sent.
    ///   - names: the codings in the order they were applied.
    ///   - limitBytes: decoded bytes beyond this are cut off, and the result's problem says so.
    /// - Returns: the decoded bytes, and why they are not the whole body.
    package static func decode(_ bytes: [UInt8], names: [String], limitBytes: Int) -> DecodedBody {
        var decoded: [UInt8] = []
        let decoder = ContentDecoder(names: names, limitBytes: limitBytes)
        decoder.write(bytes) { decoded.append(contentsOf: $0) }
        decoder.finish { decoded.append(contentsOf: $0) }
        return DecodedBody(bytes: decoded, problem: decoder.problem)
    }
}
