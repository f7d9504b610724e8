import Foundation

/// A label of a host name in letters of any script (RFC 5890 §2.3.2.1).
struct ULabel: Sendable {
    let scalars: [Unicode.Scalar]

    /// Whether the label may be registered (RFC 5891 §4.2), as far as Swift's own tables say: `unknown` where a character is none yet.
    ///
    /// What Swift has no tables for is left out: the way of writing (RFC 5893), and which letters join at a U+200C.
    var verdict: SchemaVerdict {
        guard scalars.first != "-", scalars.last != "-", !scalars.dropFirst(2).starts(with: ["-", "-"]) else {
            return .fails
        }
        let properties = scalars.map(CodePointProperty.init)
        guard !properties.contains(.disallowed) else { return .fails }
        // What such a one is may decide of its neighbours too.
        guard !properties.contains(.unassigned) else { return .unknown }
        guard let first = scalars.first, !ULabel.isMark(first), isComposed else { return .fails }
        return isInContext(scalars.indices.filter { properties[$0] == .contextual }) ? .holds : .fails
    }

    /// The label as a text.
    var text: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// Whether the label is in normalization form C.
    private var isComposed: Bool { text.precomposedStringWithCanonicalMapping.unicodeScalars.elementsEqual(scalars) }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        [.nonspacingMark, .spacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
    }

    /// Whether the characters at some places, which are not free to stand anywhere, may stand there (RFC 5892 appendix A).
    private func isInContext(_ places: [Int]) -> Bool {
        guard places.allSatisfy(mayStand) else { return false }
        // To look for a script takes longer than all else, so that is done once a label.
        let greek = places.filter { scalars[$0] == "\u{375}" }.map { scalars[$0 + 1] }
        let hebrew = places.filter { "\u{5F3}"..."\u{5F4}" ~= scalars[$0] }.map { scalars[$0 - 1] }
        return (greek.isEmpty || ULabel.areAll(greek, /\p{Script=Greek}+/))
            && (hebrew.isEmpty || ULabel.areAll(hebrew, /\p{Script=Hebrew}+/))
            && (!places.contains { scalars[$0] == "\u{30FB}" } || hasKanaOrHan)
    }

    /// Whether a character may stand at a place for all that its neighbours are, their scripts left aside.
    private func mayStand(at place: Int) -> Bool {
        let before = place > 0 ? scalars[place - 1] : nil
        let after = place + 1 < scalars.count ? scalars[place + 1] : nil
        let isAfterVirama = before?.properties.canonicalCombiningClass == .virama
        switch scalars[place].value {
        // Or between letters that join.
        case 0x200C: return isAfterVirama || before != nil && after != nil
        case 0x200D: return isAfterVirama
        case 0xB7: return before == "l" && after == "l"
        case 0x375: return after != nil
        case 0x5F3, 0x5F4: return before != nil
        case 0x30FB: return true
        case 0x660...0x669: return !scalars.contains { (0x6F0...0x6F9).contains($0.value) }
        case 0x6F0...0x6F9: return !scalars.contains { (0x660...0x669).contains($0.value) }
        default: return false
        }
    }

    private var hasKanaOrHan: Bool {
        let kanaOrHan = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/.matchingSemantics(.unicodeScalar)
        return text.firstMatch(of: kanaOrHan) != nil
    }

    /// Whether all of some scalars are of a script.
    private static func areAll(_ scalars: [Unicode.Scalar], _ script: Regex<Substring>) -> Bool {
        ULabel(scalars: scalars).text.wholeMatch(of: script.matchingSemantics(.unicodeScalar)) != nil
    }
}
