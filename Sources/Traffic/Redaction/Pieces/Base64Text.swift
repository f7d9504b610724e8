/// The texts that stand in base64 (RFC 4648 §4 and §5) in another text.
enum Base64Text {
    /// The least bytes of a stretch that is decoded; shorter ones are words.
    private static let leastBytes = 24
    /// The least bytes of a line after which base64 may go on in the next line (RFC 2045 §6.8).
    private static let leastLineBytes = 60
    /// The most bytes of an escape or a line end, within which a piece of a text may begin or end, and a few more.
    private static let dividedBytes = 12

    /// Gives each text in base64 in a text and in the texts inside it, once, with its range in the whole and its padding.
    ///
    /// - Parameters:
    ///   - text: the whole.
    ///   - form: how it is written.
    ///   - window: how much of an escaped text is decoded at a time.
    ///   - look: takes each piece of it that has a layer of escapes undone.
    ///   - give: takes a range and the text in UTF-8.
    static func each(
        in text: [UInt8],
        form: SecretScanner.Form,
        window: SearchWindow,
        pieces look: (DecodedPiece) -> Void,
        _ give: (Range<Int>, [UInt8]) -> Void
    ) {
        var given: Set<Range<Int>> = []
        each(in: text, isContinued: false) { range, inner in
            given.insert(range)
            give(range, inner)
        }
        DecodedPiece.each(in: text, form: form, window: window) { piece in
            look(piece)
            each(in: piece.bytes, isContinued: piece.isContinued) { range, inner in
                let place = piece.place(range)
                // Base64 without escapes in it is there in every layer.
                if given.insert(place).inserted { give(place, inner) }
            }
        }
    }

    /// Gives each stretch of base64 that holds a text; see `DecodedPiece.isContinued` for the beginning of the text.
    ///
    /// Any text may end within base64, since no more of it was kept.
    private static func each(
        in text: [UInt8],
        isContinued: Bool,
        _ give: (Range<Int>, [UInt8]) -> Void
    ) {
        var index = 0
        while index < text.count {
            guard digits[Int(text[index])] != noDigit else {
                index += 1
                continue
            }
            let end = end(of: text, index)
            if end - index >= leastBytes {
                let stretch = Stretch(
                    text[index..<end],
                    isContinued: isContinued && index < dividedBytes,
                    isCut: text.count - end < dividedBytes
                )
                stretch.eachText { part, inner in
                    let padding =
                        part.upperBound == end ? text[end...].prefix(2).prefix { $0 == UInt8(ascii: "=") }.count : 0
                    give(part.lowerBound..<part.upperBound + padding, inner)
                }
            }
            index = end
        }
    }

    /// The end of a stretch, which goes on behind the ends of long lines.
    private static func end(of text: [UInt8], _ start: Int) -> Int {
        var line = start
        while true {
            let end = text[line...].firstIndex { digits[Int($0)] == noDigit } ?? text.count
            let next = text[end...].prefix(2).prefix { $0 == ASCII.carriageReturn || $0 == ASCII.lineFeed }.endIndex
            // Two hyphens begin the delimiter behind a part of a form.
            guard end - line >= leastLineBytes, next > end, next < text.count, digits[Int(text[next])] != noDigit,
                !text[next...].starts(with: "--".utf8)
            else { return end }
            line = next
        }
    }

    /// Letters of base64, which may be several lines of it, with other words before and behind.
    private struct Stretch {
        let letters: ArraySlice<UInt8>
        /// Whether it may begin within a group of four letters, and within a character.
        let isContinued: Bool
        /// Whether it may end within a character.
        let isCut: Bool

        init(_ letters: ArraySlice<UInt8>, isContinued: Bool, isCut: Bool) {
            (self.letters, self.isContinued, self.isCut) = (letters, isContinued, isCut)
        }

        /// Gives the text of all lines; else of all but the first, the last or both, which may be no base64; else that of each run of lines that are
        /// base64.
        func eachText(_ give: (Range<Int>, [UInt8]) -> Void) {
            if let text = text(letters) { return give(letters.startIndex..<letters.endIndex, text) }
            let lines = letters.split { $0 == ASCII.carriageReturn || $0 == ASCII.lineFeed }
            guard lines.count > 1 else { return eachPart(of: letters, give) }
            for (first, last) in [(0, lines.count - 2), (1, lines.count - 1), (1, lines.count - 2)] where first < last {
                let some = letters[lines[first].startIndex..<lines[last].endIndex]
                guard let text = text(some) else { continue }
                give(some.startIndex..<some.endIndex, text)
                for line in lines[..<first] + lines[(last + 1)...] { eachPart(of: line, give) }
                return
            }
            eachRun(of: lines, give)
        }

        /// Gives the text of each run of lines that are texts by themselves, but for the characters that the ends of lines divide; else that of each
        /// line alone.
        private func eachRun(of lines: [ArraySlice<UInt8>], _ give: (Range<Int>, [UInt8]) -> Void) {
            var rest = lines[...]
            while !rest.isEmpty {
                let run = rest.prefix { text($0, isDivided: true) != nil }
                rest = rest.dropFirst(run.count)
                if run.count > 1, let first = run.first, let last = run.last,
                    let text = text(letters[first.startIndex..<last.endIndex], isDivided: true)
                {
                    give(first.startIndex..<last.endIndex, text)
                } else {
                    for line in run { eachPart(of: line, give) }
                }
                if let other = rest.popFirst() { eachPart(of: other, give) }
            }
        }

        /// Gives the text of a line, or of each part of it between slashes, as of a path's segments.
        private func eachPart(of line: ArraySlice<UInt8>, _ give: (Range<Int>, [UInt8]) -> Void) {
            guard line.count >= leastBytes else { return }
            if line.count < letters.count, let text = text(line, isDivided: true) {
                return give(line.startIndex..<line.endIndex, text)
            }
            for part in line.split(separator: UInt8(ascii: "/"))
            where part.count >= leastBytes && part.count < line.count {
                if let text = text(part) { give(part.startIndex..<part.endIndex, text) }
            }
        }

        /// The text in some of the letters; `nil` where the bytes are no text, which mostly the first of them tell.
        ///
        /// - Parameters:
        ///   - some: the letters.
        ///   - isDivided: whether they may begin and end within a character, as lines do.
        /// - Returns: the text, without what is left of characters at its ends.
        private func text(_ some: ArraySlice<UInt8>, isDivided: Bool = false) -> [UInt8]? {
            let isContinued = isContinued && some.startIndex == letters.startIndex
            let isCut = isDivided || isCut && some.endIndex == letters.endIndex
            // The first letters may be the rest of an escape that a piece begins within.
            for skipped in 0..<(isContinued ? 8 : 1) {
                guard var bytes = Base64Text.bytes(some.dropFirst(skipped)) else { continue }
                if isContinued || isDivided { bytes.removeFirst(bytes.prefix(3).prefix { $0 & 0xC0 == 0x80 }.count) }
                for left in 0..<(isCut ? 4 : 1) where left <= bytes.count {
                    let whole = bytes.dropLast(left)
                    if String(validating: whole, as: UTF8.self) != nil { return Array(whole) }
                }
            }
            return nil
        }
    }

    /// The bytes that letters stand for, whatever is between them; `nil` where one is no byte of a text.
    private static func bytes(_ letters: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for letter in letters {
            let digit = digits[Int(letter)]
            guard digit != noDigit else { continue }
            bits = bits << 6 | UInt32(digit)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            let byte = UInt8(truncatingIfNeeded: bits >> UInt32(count))
            guard byte >= ASCII.space || (0x09...0x0D).contains(byte) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static let noDigit: UInt8 = 0xFF

    /// The value of each letter of both alphabets.
    private static let digits: [UInt8] = {
        var digits = [UInt8](repeating: noDigit, count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (digit, letter) in letters.utf8.enumerated() { digits[Int(letter)] = UInt8(digit) }
        (digits[Int(UInt8(ascii: "-"))], digits[Int(UInt8(ascii: "_"))]) = (62, 63)
        return digits
    }()
}
