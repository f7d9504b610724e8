/// A number as YAML 1.2 writes it without quotes (core schema, §10.3.2), and how JSON writes it (RFC 8259 §6).
enum PlainNumber: Equatable {
    /// The number in JSON; one that JSON writes likewise keeps its digits.
    case json(String)
    /// A number of YAML that is not taken, and why.
    case refused(String)

    /// - Returns: `nil` for a text that is no number of YAML.
    init?(_ text: String) {
        var rest = text.utf8[...]
        let sign = rest.first.flatMap { "+-".utf8.contains($0) ? $0 : nil }
        if sign != nil { rest.removeFirst() }
        guard rest.first.map({ PlainNumber.isDigit($0) || $0 == UInt8(ascii: ".") }) == true else { return nil }
        if sign == nil, let number = PlainNumber(radixed: text) {
            self = number
            return
        }
        let whole = PlainNumber.digits(&rest)
        var fraction: Substring?
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = PlainNumber.digits(&rest)
        }
        guard !whole.isEmpty || fraction?.isEmpty == false else {
            guard [".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"].contains(text.drop { "+-".contains($0) }) else {
                return nil
            }
            self = .refused("JSON has no number \(RuleProblem.quoted(text)); put it into quotes for a text")
            return
        }
        guard let exponent = PlainNumber.exponent(rest) else { return nil }
        let short = whole.drop { $0 == "0" }
        let number =
            (sign == UInt8(ascii: "-") ? "-" : "") + (short.isEmpty ? "0" : short)
            + (fraction.map { $0.isEmpty ? ".0" : "." + $0 } ?? "") + exponent
        guard whole.count > 1, whole.first == "0" else {
            self = .json(number)
            return
        }
        // A postal code, for example: as a number it would lose its zeros.
        let (shown, meant) = (RuleProblem.quoted(text), RuleProblem.shown(number, limitBytes: 200))
        self = .refused("\(shown) may be a number or a text; write \(meant), or put it into quotes")
    }

    /// A number such as `0x1F` or `0o17`.
    private init?(radixed text: String) {
        guard let radix = text.hasPrefix("0x") ? 16 : text.hasPrefix("0o") ? 8 : nil else { return nil }
        let digits = text.dropFirst(2)
        guard !digits.isEmpty,
            digits.utf8.allSatisfy({
                Unicode.Scalar($0).properties.isASCIIHexDigit && (radix == 16 || (0x30...0x37).contains($0))
            })
        else { return nil }
        self =
            UInt64(digits, radix: radix).map { .json(String($0)) }
            ?? .refused("\(RuleProblem.quoted(text)) is too large; write it with decimal digits")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Takes the digits that a text begins with.
    private static func digits(_ rest: inout Substring.UTF8View) -> Substring {
        let digits = rest.prefix(while: isDigit)
        rest = rest[digits.endIndex...]
        return Substring(digits)
    }

    /// The exponent that is left of a number, empty where there is none; `nil` where it is none.
    private static func exponent(_ rest: Substring.UTF8View) -> String? {
        var left = rest
        guard let first = left.popFirst() else { return "" }
        guard first | 0x20 == UInt8(ascii: "e") else { return nil }
        if left.first.map({ "+-".utf8.contains($0) }) == true { left.removeFirst() }
        return !left.isEmpty && left.allSatisfy(isDigit) ? String(Substring(rest)) : nil
    }
}
