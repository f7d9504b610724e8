/// Punycode (RFC 3492), which writes a text of any letters in those of a host name.
///
/// Foundation decodes host names too, but says nothing of why it refuses one: bad code, or a letter that its tables do not have yet.
enum Punycode {
    // The parameters of §5.
    private static let base: UInt32 = 36
    private static let leastThreshold: UInt32 = 1
    private static let mostThreshold: UInt32 = 26
    private static let skew: UInt32 = 38
    private static let damp: UInt32 = 700
    private static let firstBias: UInt32 = 72
    private static let firstScalar: UInt32 = 0x80

    /// Decodes a text in lower case (§6.2).
    ///
    /// Every text of scalars has one form, and no other decodes to it: so what is decoded is not encoded again to compare. Each scalar is put into its
    /// place among the others, which is fine for labels.
    ///
    /// - Parameter text: ASCII, the part of a label behind `xn--`, of at most 63 bytes.
    /// - Returns: the scalars; `nil` where the text is longer, is no Punycode, or stands for what is no scalar.
    static func decode(_ text: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
        guard text.count <= 63 else { return nil }
        var (scalars, rest) = ([Unicode.Scalar](), text)
        if let end = text.lastIndex(of: UInt8(ascii: "-")), end > text.startIndex {
            scalars = text[..<end].map { Unicode.Scalar($0) }
            rest = text[(end + 1)...]
        }
        var (scalar, place, bias) = (firstScalar, UInt32(0), firstBias)
        while !rest.isEmpty {
            guard let delta = delta(&rest, bias) else { return nil }
            let count = UInt32(scalars.count + 1)
            let (sum, isOver) = place.addingReportingOverflow(delta)
            let (next, isBeyond) = scalar.addingReportingOverflow(sum / count)
            guard !isOver, !isBeyond, let found = Unicode.Scalar(next) else { return nil }
            bias = adapted(delta, count: count, isFirst: place == 0)
            (scalar, place) = (next, sum % count)
            scalars.insert(found, at: Int(place))
            place += 1
        }
        return scalars
    }

    /// Takes an integer of variable length (§3.3); `nil` where it is not whole, or too large for any text.
    private static func delta(_ rest: inout ArraySlice<UInt8>, _ bias: UInt32) -> UInt32? {
        var (value, weight, position) = (UInt32(0), UInt32(1), base)
        while let byte = rest.popFirst() {
            guard let digit = digit(byte) else { return nil }
            let (part, isLarge) = digit.multipliedReportingOverflow(by: weight)
            let (sum, isOver) = value.addingReportingOverflow(part)
            guard !isLarge, !isOver else { return nil }
            value = sum
            let threshold = position <= bias ? leastThreshold : min(mostThreshold, position - bias)
            if digit < threshold { return value }
            let (next, isBeyond) = weight.multipliedReportingOverflow(by: base - threshold)
            guard !isBeyond else { return nil }
            (weight, position) = (next, position + base)
        }
        return nil
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 26
        default: nil
        }
    }

    /// The bias after a delta (§6.1).
    private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var position: UInt32 = 0
        while delta > (base - leastThreshold) * mostThreshold / 2 {
            delta /= base - leastThreshold
            position += base
        }
        return position + (base - leastThreshold + 1) * delta / (delta + skew)
    }
}
