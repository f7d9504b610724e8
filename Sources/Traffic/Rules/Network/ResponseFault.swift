package import NIOCore

/// A way in which a response fails on its way to the client.
package struct ResponseFault: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The response breaks off after so many bytes of its body.
        case cut(at: Int64)
        /// After so many bytes nothing comes for a time, in microseconds; then the response goes on.
        case stall(at: Int64, microseconds: Int64)
        /// The byte at this place of the body, from 0, has all its bits turned over.
        case corrupt(at: Int64)
        /// The body comes in pieces of so many bytes, with a time between them, in microseconds.
        case drip(bytes: Int, microseconds: Int64)
        /// The status comes and nothing else: neither fields nor a body.
        case statusOnly
        /// The head says a false length, which is one more than the true one where none is named.
        case badLength(Int64?)
        /// The connection, or the stream, is reset after so many bytes of the body; `nil` for before the response.
        case reset(at: Int64?)
    }

    package var kind: Kind
    /// How often it happens where its rule applies.
    package var limits = RuleLimits()

    package init(_ kind: Kind) { self.kind = kind }

    /// The fault in words: `cut after 20000 bytes`.
    package var text: String {
        switch kind {
        case .cut(let place): "cut after \(place.counted("byte"))"
        case .stall(let place, let time): "stall after \(place.counted("byte")) for \(RuleDelay.text(time))"
        case .corrupt(let place): "byte \(place) corrupted"
        case .drip(let bytes, let time): "drip of \(bytes.counted("byte")) every \(RuleDelay.text(time))"
        case .statusOnly: "status only"
        case .badLength(let length): length.map { "false length \($0)" } ?? "false length"
        case .reset(nil): "reset"
        case .reset(let place?): "reset after \(place.counted("byte"))"
        }
    }

    /// A head with a false length in place of its own.
    ///
    /// - Parameters:
    ///   - head: the head of a response.
    ///   - length: what it is to say.
    /// - Returns: the head; other lines keep their bytes.
    package static func head(_ head: ByteBuffer, saying length: Int64) -> ByteBuffer {
        var lines = HeadLines(head: head)
        lines.remove(lines.places(of: "transfer-encoding"))
        lines.set("Content-Length", String(length))
        return lines.joined
    }
}
