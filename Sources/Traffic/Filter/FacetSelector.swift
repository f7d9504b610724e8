/// One wanted value of a facet, as a user may write it.
package enum FacetSelector: Hashable, Sendable {
    /// This value, ignoring case; in lower case.
    case exactly(String)
    /// A status code in this range: `5xx`, `400-499`, `>=400`.
    case codes(ClosedRange<Int>)
    /// A host that is this one or lies under it, in lower case; `*` stands for any characters.
    case host(String)
    /// A media type of a family.
    case kind(MediaKind)
    /// A value that this pattern matches.
    case like(TextPattern)

    /// Whether a facet's value is meant.
    package func matches(_ value: String) -> Bool {
        switch self {
        case .exactly(let wanted): value == wanted || value.lowercased() == wanted.lowercased()
        case .codes(let range): Int(value).map(range.contains) ?? false
        case .host(let pattern):
            pattern.contains("*")
                ? FacetSelector.glob(Array(pattern.utf8), Array(value.utf8))
                : value == pattern || value.hasSuffix("." + pattern)
        case .kind(let kind): kind.contains(value)
        case .like(let pattern): pattern.matches(value)
        }
    }

    /// The one value this selector names, written as the facet writes it; `nil` for a range or a pattern.
    ///
    /// A list shows it with count 0 when no exchange has it, so that a selection is never lost from sight.
    package func namedValue(in facet: Facet) -> String? {
        switch self {
        case .codes, .kind, .like: nil
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

    /// Reads a comma list of values; a value that contains a comma stands in quotes.
    ///
    /// - Parameters:
    ///   - text: the list.
    ///   - facet: the facet that the values belong to.
    ///   - label: what an error writes before a value; the facet's name and a blank by default.
    /// - Returns: the values, in their order.
    /// - Throws: `FilterError` naming the first value that is none, and what was expected.
    package static func list(_ text: String, in facet: Facet, label: String? = nil) throws -> [FacetSelector] {
        try FilterValue.parts(of: text).map { try FacetSelector($0, in: facet, label: label) }
    }

    /// Reads one value as written after an option or in a URL.
    ///
    /// - Parameters:
    ///   - text: the value.
    ///   - facet: the facet that it belongs to.
    ///   - label: what an error writes before the value; the facet's name and a blank by default.
    /// - Throws: `FilterError` naming the value and what was expected.
    package init(_ text: String, in facet: Facet, label: String? = nil) throws {
        let label = label ?? "\(facet.name) "
        let value = FilterValue(bare: text)
        guard !value.text.isEmpty else {
            throw FilterError(
                "\(label.trimmingBlanks) has an empty value; name one, for example \(label)\(facet.example)"
            )
        }
        do {
            self = try facet.selector(value)
        } catch {
            throw FilterError("\(label)\(text.trimmingBlanks): \(error.sentence)")
        }
    }

    /// Matches a pattern in which `*` stands for any run of bytes, without recursion.
    static func glob(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
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
