import Foundation
import Traffic

/// A label of a host name that stands for one in other letters: `xn--` and Punycode (RFC 5890 §2.3.2.1).
struct ALabel: Sendable {
    /// What checking a label costs, in characters that are compared in that time.
    static let cost = 4_000

    /// The label in ASCII, in lower case as it is read (RFC 5891 §5.3).
    private let text: String

    /// Takes a label; `nil` for one that stands for itself.
    init?(_ label: Substring) {
        text = ASCII.lower(label)
        guard text.hasPrefix("xn--") else { return nil }
    }

    /// Whether the label stands for one that may be registered (RFC 5891 §4.2).
    ///
    /// `unknown` where only a later Unicode can tell. A label is checked by itself: what RFC 5893 wants of all labels of a name that has one written from
    /// right to left is not asked.
    var verdict: SchemaVerdict {
        guard let scalars = Punycode.decode(Array(text.utf8)[4...]) else { return .fails }
        let verdict = ULabel(scalars: scalars).verdict
        guard verdict == .holds else { return verdict }
        guard let read = ALabel.read(text) else {
            return ALabel.isRead && scalars.allSatisfy(ALabel.isOld) ? .fails : .unknown
        }
        return read.unicodeScalars.elementsEqual(scalars) ? .holds : .unknown
    }

    /// What a label stands for as Foundation reads it by UTS #46, which asks for the way of writing and for letters that join at a U+200C.
    ///
    /// - Returns: `nil` where Foundation refuses the label, for whatever reason.
    private static func read(_ label: String) -> String? { URLComponents(string: "http://\(label)")?.host }

    /// Whether Foundation reads such labels at all: not every build of it does.
    private static let isRead = read("xn--4dbc5h") == "א׳ב"

    /// Whether Foundation's tables have a scalar, whichever version of Unicode they are from.
    private static func isOld(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.age.map { $0 <= (15, 0) } == true }
}
