package import NIOCore
import Traffic

/// The parts of a response's first line as they came (RFC 9112 §4).
package struct StatusLine: Hashable, Sendable {
    /// The text after the code; empty where there is none.
    package let reason: String

    /// Reads the first line of a head leniently.
    package init(head: ByteBuffer) {
        let line = head.readableBytesView.prefix { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }
        let parts = line.split(separator: ASCII.space, maxSplits: 2, omittingEmptySubsequences: false)
        reason = parts.count == 3 ? ByteText.passed(parts[2]) : ""
    }
}
