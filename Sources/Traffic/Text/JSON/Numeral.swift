/// A number with all of its digits, as JSON writes it (RFC 8259 §6): a Double has too few of them for identifiers and sums of money.
package struct Numeral: Hashable, Sendable {
    /// The most digits of a factor whose multiples can be told.
    private static let factorDigits = 18
    /// The exponent beyond which numbers are not told apart.
    private static let exponentLimit = 1 << 40

    package let isNegative: Bool
    /// The digits from the first to the last that is not 0; empty for the number 0.
    package let digits: [UInt8]
    /// The power of ten of the last digit.
    package let exponent: Int

    /// Reads a number; `nil` for any other text.
    package init?(_ literal: some StringProtocol) {
        var rest = Array(literal.utf8)[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        let mantissa = rest.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        var exponent = 0
        if mantissa.endIndex < rest.endIndex {
            var text = rest[(mantissa.endIndex + 1)...]
            let isSmall = text.first == UInt8(ascii: "-")
            if isSmall || text.first == UInt8(ascii: "+") { text = text.dropFirst() }
            guard !text.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            for byte in text { exponent = min(exponent * 10 + Int(byte - 0x30), Numeral.exponentLimit) }
            if isSmall { exponent = -exponent }
        }
        var digits: [UInt8] = []
        var hasPoint = false
        for byte in mantissa {
            switch byte {
            case 0x30...0x39:
                digits.append(byte - 0x30)
                if hasPoint { exponent -= 1 }
            case UInt8(ascii: ".") where !hasPoint: hasPoint = true
            default: return nil
            }
        }
        guard !digits.isEmpty else { return nil }
        while digits.last == 0 {
            digits.removeLast()
            exponent += 1
        }
        self.digits = Array(digits.drop { $0 == 0 })
        self.isNegative = isNegative && !self.digits.isEmpty
        self.exponent = self.digits.isEmpty ? 0 : exponent
    }

    /// Makes the shortest number of a Double, which is the number that was read where that had no more than 15 digits.
    ///
    /// `nil` for a Double that is not finite.
    package init?(_ number: Double) {
        guard number.isFinite else { return nil }
        self.init(number.description)
    }

    /// Whether the number is whole, however it is written (JSON Schema Core §4.2.3, `1.0` is an integer).
    package var isInteger: Bool { exponent >= 0 }

    /// Whether the number has few enough digits for its multiples to be told.
    package var canDivide: Bool { digits.count <= Numeral.factorDigits }

    /// Whether the number is a multiple of a factor; `nil` where the factor has too many digits.
    package func isMultiple(of factor: Numeral) -> Bool? {
        guard !digits.isEmpty else { return true }
        guard !factor.digits.isEmpty else { return false }
        // Neither ends in a zero, so nothing smaller than the factor's last digit is a multiple.
        guard exponent >= factor.exponent else { return false }
        guard factor.canDivide else { return nil }
        let divisor = factor.digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
        var rest = digits.reduce(UInt64(0)) { ($0 * 10 + UInt64($1)) % divisor }
        var (power, steps) = (10 % divisor, exponent - factor.exponent)
        while steps > 0, rest != 0 {
            if steps & 1 == 1 { rest = Numeral.product(rest, power, modulo: divisor) }
            power = Numeral.product(power, power, modulo: divisor)
            steps >>= 1
        }
        return rest == 0
    }

    /// The product of two numbers, modulo a divisor that both are below.
    private static func product(_ one: UInt64, _ other: UInt64, modulo divisor: UInt64) -> UInt64 {
        divisor.dividingFullWidth(one.multipliedFullWidth(by: other)).remainder
    }
}

extension Numeral: Comparable {
    package static func < (left: Numeral, right: Numeral) -> Bool {
        guard left.isNegative == right.isNegative else { return left.isNegative }
        return left.isNegative ? right.isNearer(than: left) : left.isNearer(than: right)
    }

    /// Whether the number is nearer to 0 than another.
    private func isNearer(than other: Numeral) -> Bool {
        if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
        let (places, others) = (digits.count + exponent, other.digits.count + other.exponent)
        return places == others ? digits.lexicographicallyPrecedes(other.digits) : places < others
    }
}
