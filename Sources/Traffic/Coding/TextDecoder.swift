/// Turns the bytes of a text into UTF-8, piece by piece, and counts bytes that are invalid in its charset.
package struct TextDecoder: Sendable {
    /// What becomes of bytes that are invalid in the charset.
    package enum Leniency: Sendable {
        /// They end the text.
        case refusing
        /// U+FFFD stands for them, as in a browser (WHATWG Encoding §4.1).
        case replacing
        /// Each is read as Windows-1252, the likeliest charset of a text that names none and is not UTF-8.
        case guessing
    }

    /// How many characters that were read one by one are remembered.
    private static let charactersLimit = 1 << 16

    private let charset: Charset
    private let leniency: Leniency
    /// The first bytes of a character whose rest has yet to come; at most 3.
    private var pending: [UInt8] = []
    /// The order of UTF-16's bytes, once known.
    private var isLittleEndian = true
    private var isAtStart = true
    /// The UTF-8 of characters of several bytes, empty for invalid ones; Foundation takes as long for one as for many.
    private var characters: [UInt32: [UInt8]] = [:]
    /// How many bytes came that are invalid in the charset.
    package private(set) var strangeBytes = 0

    package init(_ charset: Charset, _ leniency: Leniency = .refusing) {
        self.charset = charset
        self.leniency = leniency
        isLittleEndian = charset != .utf16BE
    }

    /// Appends the next bytes, as UTF-8, to `text`; false where they are invalid in the charset and `refusing` ends the text.
    package mutating func decode(_ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]) -> Bool {
        switch charset {
        case .utf8: decodeUTF8(bytes, into: &text)
        case .utf16, .utf16LE, .utf16BE: decodeUTF16(bytes, into: &text)
        case .shiftJIS, .eucJP, .eucKR, .big5, .gb18030: decodeSeveral(bytes, into: &text)
        default: decodeSingle(bytes, into: &text)
        }
    }

    /// Ends the text; a lenient decoder appends the replacement of half a character.
    package mutating func finish(into text: inout [UInt8]) {
        guard !pending.isEmpty, leniency != .refusing else { return }
        replace(pending, into: &text)
        pending = []
    }

    /// Whether the next bytes stand for themselves, as ASCII does in nearly every charset.
    func passes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        pending.isEmpty && (charset == .utf8 || charset == .windows1252) && ASCII.isAll(bytes)
    }

    /// Bytes of the character whose rest has yet to come; at most 3.
    package var pendingCount: Int { pending.count }

    /// Whether the text may end here, because no character is half there.
    package var isWhole: Bool { pending.isEmpty }

    /// Appends the replacement of invalid bytes.
    private mutating func replace(_ bytes: some Collection<UInt8>, into text: inout [UInt8]) {
        strangeBytes += bytes.count
        if leniency == .guessing, let scalars = Charset.windows1252.upperHalf {
            for byte in bytes { append(byte < 0x80 ? UInt32(byte) : scalars[Int(byte) - 0x80], to: &text) }
        } else {
            append(0xFFFD, to: &text)
        }
    }

    /// Checks the bytes against RFC 3629 §4 and passes them on as they are.
    private mutating func decodeUTF8(_ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]) -> Bool {
        var index = 0
        text.reserveCapacity(text.count + bytes.count)
        while index < bytes.count {
            if pending.isEmpty {
                let start = index
                while index < bytes.count, bytes[index] < 0x80 { index += 1 }
                text.append(contentsOf: bytes[start..<index])
                if index == bytes.count { break }
            }
            pending.append(bytes[index])
            index += 1
            switch TextDecoder.state(pending) {
            case .whole: text.append(contentsOf: pending)
            case .partial: continue
            case .invalid:
                guard leniency != .refusing else { return false }
                if pending.count > 1 {
                    // The last of them may begin a character.
                    pending.removeLast()
                    index -= 1
                }
                replace(pending, into: &text)
            }
            pending.removeAll(keepingCapacity: true)
        }
        return true
    }

    /// Decodes characters of one byte.
    private mutating func decodeSingle(_ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]) -> Bool {
        guard let scalars = charset.upperHalf else { return false }
        for byte in bytes {
            if byte < 0x80 {
                text.append(byte)
            } else if scalars[Int(byte) - 0x80] != 0xFFFD {
                append(scalars[Int(byte) - 0x80], to: &text)
            } else {
                guard leniency != .refusing else { return false }
                replace([byte], into: &text)
            }
        }
        return true
    }

    /// Decodes characters of one or more bytes: all whole ones at a time, or one by one where one of them is invalid.
    private mutating func decodeSeveral(_ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]) -> Bool {
        let all = pending + Array(bytes)
        var ends: [Int] = []
        var end = 0
        while let length = charset.length(ofCharacterAt: end, in: all) {
            end += length
            ends.append(end)
        }
        pending = Array(all[end...])
        if let known = charset.foundationText(all[..<end]) {
            text.append(contentsOf: known.utf8)
            return true
        }
        guard leniency != .refusing else { return false }
        var start = 0
        for end in ends {
            if all[start] < 0x80, end == start + 1 {
                text.append(all[start])
            } else {
                let known = character(all[start..<end])
                if known.isEmpty { replace(all[start..<end], into: &text) } else { text.append(contentsOf: known) }
            }
            start = end
        }
        return true
    }

    /// One character of at most four bytes as UTF-8; empty where it is invalid.
    private mutating func character(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let number = bytes.reduce(UInt32(bytes.count)) { $0 << 8 | UInt32($1) }
        if let known = characters[number] { return known }
        if characters.count >= TextDecoder.charactersLimit { characters = [:] }
        let text = charset.foundationText(bytes).map { Array($0.utf8) } ?? []
        characters[number] = text
        return text
    }

    private enum Sequence { case whole, partial, invalid }

    /// What one to four bytes are: a character, the beginning of one, or neither.
    private static func state(_ bytes: [UInt8]) -> Sequence {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[0] {
        case 0x00...0x7F: length = 1
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return .invalid
        }
        if bytes.count > 1, !second.contains(bytes[1]) { return .invalid }
        if !bytes.dropFirst(2).allSatisfy({ (0x80...0xBF).contains($0) }) { return .invalid }
        return bytes.count == length ? .whole : .partial
    }

    private mutating func decodeUTF16(_ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]) -> Bool {
        for byte in bytes {
            pending.append(byte)
            guard pending.count % 2 == 0 else { continue }
            let unit = unit(at: pending.count - 2)
            if isAtStart {
                isAtStart = false
                if unit == 0xFEFF || charset == .utf16 && unit == 0xFFFE {
                    if unit == 0xFFFE { isLittleEndian.toggle() }
                    pending.removeAll(keepingCapacity: true)
                    continue
                }
            }
            let isSecond = (0xDC00...0xDFFF).contains(unit)
            if pending.count == 4 {
                if isSecond {
                    append(0x10000 + (self.unit(at: 0) - 0xD800) << 10 + (unit - 0xDC00), to: &text)
                    pending.removeAll(keepingCapacity: true)
                    continue
                }
                guard leniency != .refusing else { return false }
                replace(pending.prefix(2), into: &text)
                pending.removeFirst(2)
            }
            if (0xD800...0xDBFF).contains(unit) { continue }
            if isSecond {
                guard leniency != .refusing else { return false }
                replace(pending, into: &text)
            } else {
                append(unit, to: &text)
            }
            pending.removeAll(keepingCapacity: true)
        }
        return true
    }

    private func unit(at index: Int) -> UInt32 {
        let (first, second) = (UInt32(pending[index]), UInt32(pending[index + 1]))
        return isLittleEndian ? second << 8 | first : first << 8 | second
    }

    private func append(_ scalar: UInt32, to text: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(scalar) else { return }
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}
