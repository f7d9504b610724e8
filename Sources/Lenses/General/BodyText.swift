import Foundation
import Traffic

/// The decoded beginning of a body that lenses are asked about; one pass notes for all of them what stands in quotes.
package final class BodyText {
    let bytes: [UInt8]
    /// The first byte that is no blank; `nil` where there is none.
    package let first: UInt8?
    /// A bit for each note, set where a name of that note stands in the text.
    private lazy var noted = notes()

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        first = bytes.dropFirst(start).first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    }

    /// Whether the text begins as a JSON object does.
    var isObject: Bool { first == UInt8(ascii: "{") }
    /// Whether the text begins as a JSON array does.
    var isArray: Bool { first == UInt8(ascii: "[") }

    /// Whether a mark stands in the text.
    func holds(_ mark: BodyMark) -> Bool {
        guard noted[mark.note >> 6] & (1 << UInt64(mark.note & 63)) != 0 else { return false }
        return bytes.withUnsafeBytes(mark.isIn)
    }

    /// The first texts that are values of a member, at most eight, with escaped line breaks and tabs undone.
    ///
    /// A text that is cut off ends with the body.
    func texts(of mark: BodyMark) -> [String] {
        guard holds(mark) else { return [] }
        return bytes.withUnsafeBytes { bytes in
            var texts: [String] = []
            var place = 0
            while texts.count < 8, let end = mark.end(in: bytes, from: place) {
                place = end
                let colon = BodyText.skipBlanks(bytes, from: end)
                guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { continue }
                let quote = BodyText.skipBlanks(bytes, from: colon + 1)
                guard quote < bytes.count, bytes[quote] == UInt8(ascii: "\"") else { continue }
                texts.append(BodyText.text(bytes, from: quote + 1))
            }
            return texts
        }
    }

    private static func skipBlanks(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var place = start
        while place < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) { place += 1 }
        return place
    }

    /// The text up to the next quote that is not escaped; only the escapes of blanks are undone.
    private static func text(_ bytes: UnsafeRawBufferPointer, from start: Int) -> String {
        var text: [UInt8] = []
        var place = start
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            let byte = bytes[place]
            place += 1
            guard byte == UInt8(ascii: "\\"), place < bytes.count else {
                text.append(byte)
                continue
            }
            switch bytes[place] {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "t"), UInt8(ascii: "r"): text.append(0x20)
            case let other: text += [byte, other]
            }
            place += 1
        }
        return ByteText.repaired(text)
    }

    /// Notes the bytes between each quote and the next: a mark holds no quote, so wherever a mark stands it is one of these.
    private func notes() -> [UInt64] {
        var notes = [UInt64](repeating: 0, count: BodyMark.noteCount / 64)
        bytes.withUnsafeBytes { text in
            guard let base = text.baseAddress else { return }
            var open: Int?
            var place = 0
            while place < text.count, let found = memchr(base + place, 0x22, text.count - place) {
                place = base.distance(to: UnsafeRawPointer(found))
                if let open {
                    let note = BodyMark.note(of: UnsafeRawBufferPointer(rebasing: text[open + 1..<place]))
                    notes[note >> 6] |= 1 << UInt64(note & 63)
                }
                open = place
                place += 1
            }
        }
        return notes
    }
}
