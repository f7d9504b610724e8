package import NIOCore

/// Bytes that a peer sent as text.
///
/// Swift's strings put the combining marks of one character in order before they are compared, hashed or split, in a time that grows with the square of
/// their number: 120,000 of them, which a head has room for, take half a minute. So a text with more in a row than UAX #15 has in its Stream-Safe Text
/// Format is taken for bytes that are no text, or parted. Regional indicators are looked at from the last back to the first where a text is read from its end.
package enum ByteText {
    /// Combining marks in a row.
    private static let markLimit = 30
    /// Regional indicators in a row; a row of all flags there are has more.
    private static let indicatorLimit = 128

    /// The bytes as UTF-8; `nil` where they are none, or have too many combining marks or regional indicators in a row.
    package static func utf8(_ bytes: some Collection<UInt8>) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self), isText(text) else { return nil }
        return text
    }

    /// Reads bytes as UTF-8 where they are text, else as ISO 8859-1, so that nothing is lost to U+FFFD.
    package static func lossless(_ bytes: some Collection<UInt8>) -> String { utf8(bytes) ?? latin1(bytes) }

    /// The same of all bytes of a buffer.
    package static func lossless(_ buffer: ByteBuffer) -> String { lossless(buffer.readableBytesView) }

    /// Reads bytes as UTF-8, with U+FFFD for what is none, and with a mark that is seen nowhere (U+034F) wherever marks or indicators would be too many in
    /// a row, as the Stream-Safe Text Process of UAX #15 has it.
    package static func repaired(_ bytes: some Collection<UInt8>) -> String {
        parted(String(decoding: bytes, as: UTF8.self))
    }

    /// A text with U+034F wherever marks or indicators would be too many in a row.
    package static func parted(_ text: String) -> String {
        guard !isText(text) else { return text }
        var out = String.UnicodeScalarView()
        var row = Row()
        for scalar in text.unicodeScalars {
            if !row.take(scalar) {
                out.append("\u{34F}")
                row = Row()
                _ = row.take(scalar)
            }
            out.append(scalar)
        }
        return String(out)
    }

    /// Reads bytes as text that is passed on and never compared: all that is UTF-8 stays as it is.
    package static func passed(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? latin1(bytes)
    }

    /// The same of all bytes of a buffer.
    package static func passed(_ buffer: ByteBuffer) -> String { passed(buffer.readableBytesView) }

    private static func latin1(_ bytes: some Collection<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Whether no more combining marks, nor regional indicators, stand in a row than a string is quick with.
    package static func isText(_ text: String) -> Bool {
        // Marks are no ASCII, and most texts have some of it now and then.
        var row = 0
        for byte in text.utf8 where byte > ASCII.space {
            row = byte < 0x80 ? 0 : row + 1
            if row > markLimit { return isText(text.unicodeScalars) }
        }
        return true
    }

    private static func isText(_ scalars: String.UnicodeScalarView) -> Bool {
        var row = Row()
        return scalars.allSatisfy { row.take($0) }
    }

    /// The scalars of a kind that stand in a row.
    private struct Row {
        private var marks = 0
        private var indicators = 0

        /// Takes the next scalar; `false` where it is one too many.
        ///
        /// White space and control characters end no row: readers may leave them out.
        mutating func take(_ scalar: Unicode.Scalar) -> Bool {
            guard scalar.value > 0x7F ? !scalar.properties.isWhitespace : scalar.value > 0x20 else { return true }
            marks = Row.isMark(scalar) ? marks + 1 : 0
            indicators = (0x1F1E6...0x1F1FF).contains(scalar.value) ? indicators + 1 : 0
            return marks <= markLimit && indicators <= indicatorLimit
        }

        /// Whether a scalar is put in order with its neighbours, or has a decomposition that is.
        private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
            guard scalar.value >= 0x300 else { return false }
            return scalar.properties.canonicalCombiningClass != .notReordered
                || [0xF73, 0xF75, 0xF81].contains(scalar.value)
        }
    }
}
