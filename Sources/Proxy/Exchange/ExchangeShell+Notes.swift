import NIOCore
import Traffic

/// The warnings of an exchange about a second try, and about fields that are not passed on byte for byte.
extension ExchangeShell {
    private static let firstSend =
        "The request was sent before: the upstream had closed a kept connection, or not begun with it."

    /// Warns that the request was sent, before it is known whether it can be sent again.
    func noteFirstSend() { warn(Self.firstSend) }

    /// Warns that the request is sent again, which tells of the first time too.
    func noteSecondSend() {
        tap.exchange.warnings.removeAll { $0 == Self.firstSend }
        warn(
            "The upstream had closed a kept connection, or not begun with the request; it was sent again on a new one."
        )
    }

    /// Warns that a field section of HTTP/2 may not be what came: its reader replaces bytes that are no UTF-8 by U+FFFD.
    func noteReplaced(_ section: ByteBuffer?, _ version: HTTPVersion?, _ side: MessageSide) {
        guard version == .http2, let section, section.holdsReplacement else { return }
        warn(
            "A field of the \(side.rawValue) holds U+FFFD: where its sender meant bytes that are no UTF-8, they were replaced, here and on the way."
        )
    }

    /// Warns that a section which came in HTTP/1 is changed on its way over HTTP/2.
    ///
    /// The library sends UTF-8 only: bytes that are none go on as the characters that they are in ISO 8859-1.
    func noteRewritten(_ section: ByteBuffer?, _ version: HTTPVersion?, _ side: MessageSide) {
        guard version != .http2, let section, !section.isUTF8 else { return }
        warn(
            "The \(side.rawValue) has fields with bytes that are no UTF-8: they were taken for ISO 8859-1, and went on over HTTP/2 as UTF-8."
        )
    }

    /// A trailer section as it is passed on; `nil` where nothing is.
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
    /// The head without its first line, whose reason phrase has no place in HTTP/2.
    var fieldLines: ByteBuffer? {
        readableBytesView.firstIndex(of: ASCII.lineFeed).flatMap { getSlice(at: $0, length: writerIndex - $0) }
    }

    /// Whether all bytes are UTF-8; the first pass settles it for ASCII, which nearly all heads are.
    fileprivate var isUTF8: Bool {
        withUnsafeReadableBytes { bytes in
            ASCII.isAll(bytes) || String(validating: bytes, as: UTF8.self) != nil
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
