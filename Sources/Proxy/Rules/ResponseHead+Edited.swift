import NIOCore
import Traffic

extension ResponseHead {
    /// The head in other words, with the same version; `nil` where the first line is no status line.
    ///
    /// - Parameters:
    ///   - raw: the bytes of the head, from the version to the empty line.
    ///   - head: the head in whose place it stands.
    ///   - framing: how the end of the body is told.
    convenience init?(_ raw: ByteBuffer, inPlaceOf head: ResponseHead, framing: BodyFraming) {
        let line = raw.readableBytesView.prefix { $0 != ASCII.carriageReturn }
        let parts = line.split(separator: ASCII.space, maxSplits: 2)
        guard parts.count > 1, let code = Int(ByteText.repaired(parts[1])) else { return nil }
        self.init(raw: raw, code: code, version: head.version, fields: HeaderList(head: raw), framing: framing)
    }
}
