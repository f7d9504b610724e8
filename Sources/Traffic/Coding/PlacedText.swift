/// A text as UTF-8 that knows where each of its characters lies in the bytes it came in.
struct PlacedText {
    /// The text; bytes that are no character are U+FFFD, and in UTF-8 stay as they are.
    let utf8: [UInt8]
    /// For each byte of `utf8`, and its end, where its character begins in the bytes; `nil` where both are the same.
    private let places: [Int32]?

    /// Bytes that are read in the time in which a character is looked up in a table of the system's.
    private static let lookupWork = 512

    /// Reads bytes of a charset.
    ///
    /// - Parameters:
    ///   - bytes: less than 2 GiB.
    ///   - charset: how they are read.
    ///   - known: characters of charsets that were looked up before, by their numbers; it gets those that are now.
    ///   - mayRead: asked before work is done that takes as long as to read so many bytes of JSON; where it says no, there is no text.
    init?(
        _ bytes: [UInt8],
        _ charset: Charset,
        _ known: inout [Charset: [UInt32: String]],
        mayRead: (_ bytes: Int) -> Bool
    ) {
        let isASCII = charset.isPlain && bytes.withUnsafeBytes { ASCII.isAll($0) }
        guard charset != .utf8, !isASCII else {
            (utf8, places) = (bytes, nil)
            return
        }
        guard mayRead(bytes.count) else { return nil }
        var reader = Reader(bytes)
        switch charset {
        case .utf16, .utf16LE, .utf16BE: reader.readUnits(isLittleEndian: charset.ordered(by: bytes) != .utf16BE)
        default:
            if let upper = charset.upperHalf {
                reader.read(upper)
            } else if !reader.read(charset, &known[charset, default: [:]], mayRead) {
                return nil
            }
        }
        reader.places.append(Int32(truncatingIfNeeded: bytes.count))
        (utf8, places) = (reader.utf8, reader.places)
    }

    /// The bytes of a stretch of `utf8` that begins and ends between characters.
    func place(of range: Range<Int>) -> Range<Int> {
        guard let places else { return range }
        return Int(places[range.lowerBound])..<Int(places[range.upperBound])
    }

    private struct Reader {
        private static let replacement = "\u{FFFD}"

        private let bytes: [UInt8]
        var utf8: [UInt8] = []
        var places: [Int32] = []

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            utf8.reserveCapacity(bytes.count)
            places.reserveCapacity(bytes.count + 1)
        }

        private mutating func add(_ character: some Collection<UInt8>, at place: Int) {
            for byte in character {
                utf8.append(byte)
                places.append(Int32(truncatingIfNeeded: place))
            }
        }

        private mutating func add(_ value: UInt32, at place: Int) {
            guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else {
                return add(Reader.replacement.utf8, at: place)
            }
            add(encoded, at: place)
        }

        /// Reads characters of one byte.
        mutating func read(_ upper: [UInt32]) {
            for (place, byte) in bytes.enumerated() {
                add(byte < 0x80 ? UInt32(byte) : upper[Int(byte) - 0x80], at: place)
            }
        }

        /// Reads characters of one or more bytes; `false` where that takes too long.
        mutating func read(
            _ charset: Charset,
            _ known: inout [UInt32: String],
            _ mayRead: (_ bytes: Int) -> Bool
        ) -> Bool {
            var place = 0
            while place < bytes.count {
                guard bytes[place] >= 0x80 else {
                    add(CollectionOfOne(bytes[place]), at: place)
                    place += 1
                    continue
                }
                let length = charset.length(ofCharacterAt: place, in: bytes) ?? 1
                let character = bytes[place..<place + length]
                let number = character.reduce(UInt32(length)) { $0 << 8 | UInt32($1) }
                if let text = known[number] {
                    add(text.utf8, at: place)
                } else {
                    guard mayRead(PlacedText.lookupWork) else { return false }
                    let text = charset.foundationText(character) ?? Reader.replacement
                    known[number] = text
                    add(text.utf8, at: place)
                }
                place += length
            }
            return true
        }

        /// Reads UTF-16; a byte order mark is no part of the text.
        mutating func readUnits(isLittleEndian: Bool) {
            func unit(_ place: Int) -> UInt32? {
                guard place + 1 < bytes.count else { return nil }
                let (one, two) = (UInt32(bytes[place]), UInt32(bytes[place + 1]))
                return isLittleEndian ? two << 8 | one : one << 8 | two
            }
            var place = unit(0) == 0xFEFF ? 2 : 0
            while let first = unit(place) {
                guard (0xD800...0xDBFF).contains(first), let second = unit(place + 2),
                    (0xDC00...0xDFFF).contains(second)
                else {
                    add(first, at: place)
                    place += 2
                    continue
                }
                add(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00), at: place)
                place += 4
            }
            if place < bytes.count { add(Reader.replacement.utf8, at: place) }
        }
    }
}
