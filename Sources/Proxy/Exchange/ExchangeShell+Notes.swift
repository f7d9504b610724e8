import NIOCore
import Traffic

/// What is said on the exchange of what is not passed on byte for byte.
extension ExchangeShell {
    /// Says that a field section of HTTP/2 may not be what came: its reader puts U+FFFD in the place of bytes that are no UTF-8.
    func noteReplaced(_ section: ByteBuffer?, _ version: HTTPVersion?, _ side: MessageSide) {
        guard version == .http2, let section, section.holdsReplacement else { return }
        warn(
            "A field of the \(side.rawValue) holds U+FFFD: where its sender meant bytes that are no UTF-8, they were replaced, here and on the way."
        )
    }

    /// Says that a head or a trailer section which came in HTTP/1 is not what goes on over HTTP/2: the library sends UTF-8 only, so what is none goes on
    /// as the characters that these bytes are in ISO 8859-1.
    func noteRewritten(_ section: ByteBuffer?, _ version: HTTPVersion?, _ side: MessageSide) {
        guard version != .http2, let section, !section.isUTF8 else { return }
        warn(
            "The \(side.rawValue) has fields with bytes that are no UTF-8: they were taken for ISO 8859-1, and went on over HTTP/2 as UTF-8."
        )
    }

    /// A trailer section as it goes on; `nil` where there is none, or nothing of it does.
    func trailersPart(_ section: ByteBuffer?, of head: HeaderList?, _ side: MessageSide) -> ByteBuffer? {
        guard let section, let head else { return section }
        let sent = HopByHop.trailers(section, of: head, isRequest: side == .request)
        if sent != section {
            warn("Trailer fields of the \(side.rawValue) that concern one connection only were not passed on.")
        }
        return sent
    }

    private func warn(_ sentence: String) {
        if !tap.exchange.warnings.contains(sentence) { tap.exchange.warnings.append(sentence) }
    }
}

extension ByteBuffer {
    /// What stands behind the first line: a reason phrase has no place in HTTP/2.
    var fieldLines: ByteBuffer? {
        readableBytesView.firstIndex(of: ASCII.lineFeed).flatMap { getSlice(at: $0, length: writerIndex - $0) }
    }

    /// Whether all of it is UTF-8; nearly all is ASCII, which is seen at once.
    fileprivate var isUTF8: Bool {
        withUnsafeReadableBytes { bytes in
            var bits: UInt8 = 0
            for byte in bytes { bits |= byte }
            return bits < 0x80 || String(validating: bytes, as: UTF8.self) != nil
        }
    }

    /// Whether U+FFFD is among the characters of a UTF-8 text.
    fileprivate var holdsReplacement: Bool {
        withUnsafeReadableBytes { bytes in
            var rest = bytes[...]
            while let first = rest.firstIndex(of: 0xEF) {
                if rest[first...].starts(with: [0xEF, 0xBF, 0xBD]) { return true }
                rest = rest[(first + 1)...]
            }
            return false
        }
    }
}
