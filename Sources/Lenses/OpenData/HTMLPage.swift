import Foundation

/// A page for people and its title; a lens shows no more of it.
struct HTMLPage: Sendable, Equatable {
    /// The most bytes of a body that are read.
    static let limitBytes = 64 << 10

    /// The text of the page's title, else of its first heading; empty where it has neither.
    let title: String

    /// Reads the beginning of a text; `nil` where the text is no HTML.
    init?(_ text: String) {
        let start = text.prefix(HTMLPage.limitBytes)
        guard start.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) == "<" else { return nil }
        let lower = start.lowercased()
        guard ["<html", "<!doctype html", "<head", "<body", "<h1", "<title"].contains(where: { lower.contains($0) })
        else { return nil }
        title = HTMLPage.text(of: "title", in: start) ?? HTMLPage.text(of: "h1", in: start) ?? ""
    }

    /// The text between the tags of an element, entities undone, blanks joined.
    private static func text(of element: String, in text: Substring) -> String? {
        guard let open = text.range(of: "<\(element)", options: .caseInsensitive),
            let start = text[open.upperBound...].firstIndex(of: ">"),
            let end = text[start...].range(of: "</\(element)", options: .caseInsensitive)
        else { return nil }
        var inside = String(text[text.index(after: start)..<end.lowerBound])
        let entities = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&nbsp;", " "),
            ("&amp;", "&"),
        ]
        for (entity, character) in entities { inside = inside.replacingOccurrences(of: entity, with: character) }
        let words = inside.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? nil : words
    }
}
