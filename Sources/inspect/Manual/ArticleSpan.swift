import Foundation

/// A piece of a line of an article, of one kind.
struct ArticleSpan: Equatable {
    /// What a piece is.
    enum Kind: Equatable {
        case plain, code, strong
        /// Leads to another article, by its name.
        case article(String)
    }

    let text: String
    let kind: Kind

    /// The pieces of a text: `code`, **strong** and [links](../Look/queries.md) to other articles; anything else is plain.
    ///
    /// A link is the path of the article's file, so that it leads there where the file itself is read; the folder is not part of the name.
    static func read(_ text: String) -> [ArticleSpan] {
        var spans: [ArticleSpan] = []
        var rest = text[...]
        let marked = #/`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\((?:\.\./[A-Z][a-z]+/)?([a-z-]+)\.md\)/#
        while let match = rest.firstMatch(of: marked) {
            let before = rest[..<match.range.lowerBound]
            if !before.isEmpty { spans.append(ArticleSpan(text: String(before), kind: .plain)) }
            let (_, code, strong, link, name) = match.output
            if let code {
                spans.append(ArticleSpan(text: String(code), kind: .code))
            } else if let strong {
                spans.append(ArticleSpan(text: String(strong), kind: .strong))
            } else if let link, let name {
                spans.append(ArticleSpan(text: String(link), kind: .article(String(name))))
            }
            rest = rest[match.range.upperBound...]
        }
        if !rest.isEmpty { spans.append(ArticleSpan(text: String(rest), kind: .plain)) }
        return spans
    }

    /// The pieces as one text without marks.
    static func plain(_ spans: [ArticleSpan]) -> String { spans.map(\.text).joined() }
}
