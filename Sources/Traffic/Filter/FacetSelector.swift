/// One wanted value of a facet, as a user may write it.
package enum FacetSelector: Hashable, Sendable {
    /// This value, ignoring case.
    case exactly(String)
    /// A status code in this range: `5xx`, `400-499`, `>=400`.
    case codes(ClosedRange<Int>)
    /// A host that is this one or lies under it, in lower case; `*` stands for any characters.
    case host(String)

    /// Whether a facet's value is meant.
    package func matches(_ value: String) -> Bool {
        switch self {
        case .exactly(let wanted): value == wanted || value.lowercased() == wanted.lowercased()
        case .codes(let range): Int(value).map(range.contains) ?? false
        case .host(let pattern):
            pattern.contains("*")
                ? FacetSelector.glob(Array(pattern.utf8), Array(value.utf8))
                : value == pattern || value.hasSuffix("." + pattern)
        }
    }

    /// The one value this selector names, written as the facet writes it; `nil` for a range or a pattern.
    ///
    /// A list shows it with count 0 when no exchange has it, so that a selection is never lost from sight.
    package func namedValue(in facet: Facet) -> String? {
        switch self {
        case .codes: nil
        case .host(let pattern): pattern.contains("*") ? nil : pattern
        case .exactly(let wanted):
            switch facet {
            case .method: wanted.lowercased() == Facet.none ? Facet.none : wanted.uppercased()
            case .version:
                HTTPVersion.allCases.first { $0.rawValue.lowercased() == wanted.lowercased() }?.rawValue ?? wanted
            default: wanted.lowercased()
            }
        }
    }

    /// Reads one value as written after `--code`, `--method` … or in a URL.
    ///
    /// - Throws: `FilterError` naming the value and what was expected.
    package init(_ text: String, in facet: Facet) throws {
        let text = text.trimmingBlanks().lowercased()
        guard !text.isEmpty else {
            throw FilterError(
                "--\(facet.name) has an empty value; name one, for example --\(facet.name) \(facet.example)"
            )
        }
        switch facet {
        case .code: self = try FacetSelector.code(text)
        case .host: self = try FacetSelector.host(named: text)
        case .version: self = try FacetSelector.version(text)
        case .scheme:
            guard text == Facet.none || Scheme(rawValue: text) != nil else {
                throw FilterError("--scheme \(text): expected http, https, ws, wss or none")
            }
            self = .exactly(text)
        case .outcome:
            guard Outcome(rawValue: text) != nil else {
                throw FilterError("--outcome \(text): expected completed, failed, pending or tunnelled")
            }
            self = .exactly(text)
        case .method:
            guard text.utf8.allSatisfy(ASCII.isToken) else {
                throw FilterError("--method \(text): a method is letters, digits and !#$%&'*+-.^_`|~, for example GET")
            }
            self = .exactly(text)
        default: self = .exactly(text)
        }
    }

    private static func code(_ text: String) throws -> FacetSelector {
        let states = [Outcome.pending.rawValue, Outcome.failed.rawValue, Outcome.tunnelled.rawValue, Facet.none]
        if states.contains(text) { return .exactly(text) }
        if text.utf8.count == 3, text.hasSuffix("xx"), let digit = text.utf8.first, (0x31...0x39).contains(digit) {
            let class100 = Int(digit - 0x30) * 100
            return .codes(class100...class100 + 99)
        }
        if let exact = number(text) { return .exactly(String(exact)) }
        for (sign, range) in [(">=", { $0...999 }), ("<=", { 0...$0 })] as [(String, (Int) -> ClosedRange<Int>)] {
            if text.hasPrefix(sign), let bound = number(String(text.dropFirst(sign.count))) {
                return .codes(range(bound))
            }
        }
        if text.hasPrefix(">"), let bound = number(String(text.dropFirst())), bound < 999 {
            return .codes(bound + 1...999)
        }
        if text.hasPrefix("<"), let bound = number(String(text.dropFirst())), bound > 0 { return .codes(0...bound - 1) }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        if parts.count == 2, let low = number(String(parts[0])), let high = number(String(parts[1])), low <= high {
            return .codes(low...high)
        }
        throw FilterError(
            "--code \(text): expected a code such as 404, a class such as 5xx, a range such as 400-499 or >=400, or pending, failed or tunnelled"
        )
    }

    private static func number(_ text: String) -> Int? {
        guard text.utf8.count == 3, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int(text)
    }

    private static func host(named text: String) throws -> FacetSelector {
        var name = text[...]
        if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
        if name.hasPrefix(".") { name = name.dropFirst() }
        let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
        let colons = name.utf8.count { $0 == UInt8(ascii: ":") }
        guard !name.isEmpty, isPlain, colons != 1 else {
            throw FilterError(
                "--host \(text): expected a name or an address without scheme, port or path, for example api.example.test or *.example.test"
            )
        }
        return .host(String(name))
    }

    private static func version(_ text: String) throws -> FacetSelector {
        let short = ["1.0": HTTPVersion.http10, "1.1": .http11, "2": .http2, "h2": .http2, "ws": .webSocket]
        if text == Facet.none { return .exactly(text) }
        let known = short[text] ?? HTTPVersion.allCases.first { $0.rawValue.lowercased() == text }
        guard let known else { throw FilterError("--version \(text): expected 1.0, 1.1, 2, ws or none") }
        return .exactly(known.rawValue.lowercased())
    }

    /// Matches a pattern in which `*` stands for any run of bytes, without recursion.
    private static func glob(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        var p = 0
        var t = 0
        var star: (pattern: Int, text: Int)?
        while t < text.count {
            if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
                star = (p, t)
                p += 1
            } else if p < pattern.count, pattern[p] == text[t] {
                p += 1
                t += 1
            } else if let last = star {
                p = last.pattern + 1
                t = last.text + 1
                star = (last.pattern, last.text + 1)
            } else {
                return false
            }
        }
        return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

extension Facet {
    /// A value to show in a message about this facet.
    package var example: String {
        switch self {
        case .code: "404"
        case .method: "GET"
        case .scheme: "https"
        case .host: "api.example.test"
        case .type: "application/json"
        case .version: "HTTP/1.1"
        default: "completed"
        }
    }
}

extension String {
    fileprivate func trimmingBlanks() -> String {
        var view = self[...]
        while view.first?.isWhitespace == true { view.removeFirst() }
        while view.last?.isWhitespace == true { view.removeLast() }
        return String(view)
    }
}
