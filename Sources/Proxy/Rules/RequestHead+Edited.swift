import NIOCore
import Traffic

extension RequestHead {
    /// The head in other words, with the same version; `nil` where the first line is no request line.
    ///
    /// - Parameters:
    ///   - raw: the bytes of the head, from the method to the empty line.
    ///   - head: the head in whose place it stands.
    ///   - framing: how the end of the body is told.
    ///   - scheme: the scheme of the place that the request goes to.
    convenience init?(_ raw: ByteBuffer, inPlaceOf head: RequestHead, framing: BodyFraming, scheme: Scheme) {
        let view = raw.readableBytesView
        guard let lineEnd = view.firstIndex(of: ASCII.lineFeed),
            let methodEnd = view[..<lineEnd].firstIndex(of: ASCII.space),
            let targetEnd = view[(methodEnd + 1)..<lineEnd].firstIndex(of: ASCII.space), targetEnd > methodEnd + 1
        else { return nil }
        self.init(
            raw: raw,
            method: ByteText.repaired(view[..<methodEnd]),
            target: methodEnd + 1..<targetEnd,
            version: head.version,
            fields: HeaderList(head: raw),
            framing: framing,
            scheme: head.scheme.map { _ in scheme == .https || scheme == .wss ? "https" : "http" },
            extendedProtocol: head.extendedProtocol
        )
    }
}
