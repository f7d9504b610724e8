package import NIOCore

/// Bytes of a head as text.
package enum ByteText {
    /// Reads bytes as UTF-8 where they are valid, else as ISO 8859-1, so that nothing is lost to U+FFFD.
    package static func lossless(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// The same of all bytes of a buffer.
    package static func lossless(_ buffer: ByteBuffer) -> String { lossless(buffer.readableBytesView) }
}
