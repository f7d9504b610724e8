/// One wanted value of a facet, as a user may write it.
package enum FacetSelector: Hashable, Sendable {
    /// This value, ignoring case.
    case exactly(String)
    /// A status code in this range: `5xx`, `400-499`, `>=400`.
    case codes(ClosedRange<Int>)
    /// A host that is this one or lies under it; `*` stands for any characters.
    case host(String)

    /// Whether a facet's value is meant.
    package func matches(_ value: String) -> Bool {
        switch self {
        case .exactly(let wanted): value.lowercased() == wanted
        case .codes(let range): Int(value).map(range.contains) ?? false
        case .host(let pattern):
            pattern.contains("*")
                ? FacetSelector.glob(Array(pattern.utf8), Array(value.utf8))
                : value == pattern || value.hasSuffix("." + pattern)
        }
    }

    /// Reads one value as written after `--code`, `--method` … or in a URL.
    ///
    /// - Throws: `FilterError` naming the value and what was expected.
    package init(_ text: String, in facet: Facet) throws {
        let text = text.trimmingBlanks().lowercased()
        guard !text.isEmpty else {
            throw FilterError("--\(facet.name) has an empty value; name one, for example --\(facet.name) \(facet.example)")
        }
        switch facet {
        case .code: self = try FacetSelector.code(text)
        case .host: self = .host(text)
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
        if text.count == 3, text.hasSuffix("xx"), let digit = text.first?.wholeNumberValue, (1...9).contains(digit) {
            return .codes(digit * 100...digit * 100 + 99)
        }
        if let exact = number(text) { return .exactly(String(exact)) }
        for (sign, range) in [(">=", { $0...999 }), ("<=", { 0...$0 })] as [(String, (Int) -> ClosedRange<Int>)] {
            if text.hasPrefix(sign), let bound = number(String(text.dropFirst(sign.count))) { return .codes(range(bound)) }
        }
        if text.hasPrefix(">"), let bound = number(String(text.dropFirst())), bound < 999 { return .codes(bound + 1...999) }
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
        guard text.count == 3, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int(text)
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

/// A filter that cannot be read, as one sentence for the user.
package struct FilterError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
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
