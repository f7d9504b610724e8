/// The texts that were sent for a parameter, read by its style (OpenAPI 3.0.3 §4.7.12.3, RFC 6570 §3.2).
///
/// Where the standards can be read in two ways there are two lists or objects, and a value is wrong only where both are.
struct ParameterText {
    typealias Members = [(name: String, value: String)]

    private let parameter: OpenAPIParameter
    /// Each value as it was sent.
    private let raw: [Substring]
    private let decode: (Substring) -> String

    /// Reads a parameter's values.
    ///
    /// - Parameters:
    ///   - parameter: the parameter.
    ///   - raw: each value as it was sent; a path's with the prefix of its style.
    init(_ parameter: OpenAPIParameter, _ raw: [Substring]) {
        self.parameter = parameter
        self.raw = raw
        switch parameter.location {
        case .path: decode = FormItem.decodedPath
        case .query: decode = FormItem.decoded
        case .header, .cookie: decode = { String($0) }
        }
    }

    /// The value as one text; `nil` where there are several values that make no text together.
    var text: String? {
        switch parameter.style {
        case "label": raw.first.map { decode($0.hasPrefix(".") ? $0.dropFirst() : $0) }
        case "matrix": matrix.first.map { decode($0.value) }
        // Fields of one name are one list (RFC 9110 §5.3).
        default: raw.count == 1 || parameter.location == .header ? raw.map(decode).joined(separator: ", ") : nil
        }
    }

    /// The value as a list, in each reading.
    var lists: [[String]] {
        switch (parameter.style, parameter.isExploded) {
        case ("form", true), ("spaceDelimited", true), ("pipeDelimited", true), ("deepObject", _): [raw.map(decode)]
        case ("matrix", true): [matrix.map { decode($0.value) }]
        case ("label", true): [split([unlabelled], ".").map(decode)]
        default: pieces.map { $0.map(decode) }
        }
    }

    /// The value as an object's members, in each reading; empty where the style has no form for objects.
    var objects: [Members] {
        switch (parameter.style, parameter.isExploded) {
        case ("simple", true): return [named(comma)]
        case ("label", true): return [named(split([unlabelled], "."))]
        case ("matrix", true): return [matrix.map { (decode($0.name), decode($0.value)) }]
        case (_, true), ("deepObject", _): return []
        default: return pieces.compactMap(paired)
        }
    }

    // MARK: what its style puts between the elements

    /// The elements of a list, or names and values of an object in turn.
    private var pieces: [[Substring]] {
        switch parameter.style {
        case "spaceDelimited": return [raw.flatMap(ParameterText.atBlanks)]
        case "pipeDelimited": return [raw.flatMap { ParameterText.split($0, at: ["|", "%7C", "%7c"]) }]
        case "label":
            // RFC 6570 §3.2.5 has commas where the table of OpenAPI 3.0 has dots.
            let (commas, dots) = (split([unlabelled], ","), split([unlabelled], "."))
            return commas.count > 1 ? [commas, dots] : [dots, commas]
        case "matrix": return [split(matrix.map(\.value), ",")]
        default:
            // An empty text is a list of an empty text, or of nothing.
            return raw == [""] ? [[""], []] : [comma]
        }
    }

    private var comma: [Substring] {
        let pieces = split(raw, ",")
        guard parameter.location == .header else { return pieces }
        return pieces.map { $0.drop(while: \.isWhitespace) }
    }

    private var unlabelled: Substring { raw.first.map { $0.hasPrefix(".") ? $0.dropFirst() : $0 } ?? "" }

    /// The items of the form `;name=value`.
    private var matrix: [(name: Substring, value: Substring)] {
        split(raw, ";").filter { !$0.isEmpty }.map { piece in
            let equals = piece.firstIndex(of: "=") ?? piece.endIndex
            return (piece[..<equals], piece[equals...].dropFirst())
        }
    }

    private func split(_ texts: [Substring], _ separator: Character) -> [Substring] {
        texts.flatMap { $0.split(separator: separator, omittingEmptySubsequences: false) }
    }

    private static func atBlanks(_ text: Substring) -> [Substring] { split(text, at: ["%20", "+", " "]) }

    private static func split(_ text: Substring, at separators: [String]) -> [Substring] {
        separators.reduce([text]) { pieces, separator in pieces.flatMap { $0.split(separator: separator) } }
    }

    /// `R=100`, `G=200`.
    private func named(_ pieces: [Substring]) -> Members {
        pieces.filter { !$0.isEmpty }.map { piece in
            let equals = piece.firstIndex(of: "=") ?? piece.endIndex
            return (decode(piece[..<equals]), decode(piece[equals...].dropFirst()))
        }
    }

    /// `R`, `100`, `G`, `200`; `nil` where a name has no value.
    private func paired(_ pieces: [Substring]) -> Members? {
        guard pieces.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: pieces.count, by: 2).map { (decode(pieces[$0]), decode(pieces[$0 + 1])) }
    }
}
