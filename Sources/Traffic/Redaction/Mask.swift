/// A placeholder for a part of a text.
struct Mask {
    private(set) var range: Range<Int>
    /// Where the secret was found, for the report.
    let place: String
    private let text: [UInt8]
    private let isQuoted: Bool

    /// - Parameters:
    ///   - range: the part.
    ///   - name: the placeholder.
    ///   - quote: the quotation mark to write before and after it.
    ///   - place: where the secret was found.
    init(range: Range<Int>, name: [UInt8], quote: [UInt8] = [], place: String) {
        (self.range, self.place) = (range, place)
        // A text may have millions of masks; they share the placeholder.
        (text, isQuoted) = (quote.isEmpty ? name : quote + name + quote, !quote.isEmpty)
    }

    /// The same at another place.
    func at(_ range: Range<Int>) -> Mask {
        var mask = self
        mask.range = range
        return mask
    }

    /// Whether it hides a number, or a part of one, and has no quotation marks.
    func isNumber(in bytes: [UInt8]) -> Bool {
        !isQuoted && bytes[range].allSatisfy(JSONNumbers.isPart) && bytes[range].contains { JSONNumbers.isDigit($0) }
    }

    /// Sorts masks, and joins those that overlap.
    ///
    /// Of masks that overlap, the first one covers all; of those that begin together the longest, and a named one before others.
    static func joined(_ masks: [Mask]) -> [Mask] {
        let ordered = masks.enumerated().sorted { one, other in
            (one.element.range.lowerBound, other.element.range.upperBound, one.offset)
                < (other.element.range.lowerBound, one.element.range.upperBound, other.offset)
        }
        var joined: [Mask] = []
        for (_, mask) in ordered where !mask.range.isEmpty {
            if let last = joined.indices.last, mask.range.lowerBound < joined[last].range.upperBound {
                let end = max(joined[last].range.upperBound, mask.range.upperBound)
                joined[last].range = joined[last].range.lowerBound..<end
            } else {
                joined.append(mask)
            }
        }
        return joined
    }

    /// Puts masks on a text, and numbers in quotation marks; both are in order, and no two of a kind overlap.
    static func put(_ masks: [Mask], on bytes: [UInt8], _ numbers: [JSONNumbers.Number]) -> [UInt8] {
        let marks = numbers.flatMap { [($0.range.lowerBound, $0.quote), ($0.range.upperBound, $0.quote)] }
        var out: [UInt8] = []
        var (copied, next) = (0, 0)
        func copy(to end: Int) {
            while next < marks.count, marks[next].0 <= end {
                // A mask that begins in a number may end behind it.
                let place = max(copied, marks[next].0)
                out += bytes[copied..<place]
                out += marks[next].1
                (copied, next) = (place, next + 1)
            }
            out += bytes[copied..<end]
            copied = end
        }
        for mask in masks {
            copy(to: mask.range.lowerBound)
            out += mask.text
            copied = mask.range.upperBound
        }
        copy(to: bytes.count)
        return out
    }
}
