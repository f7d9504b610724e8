import Foundation
import Testing

/// The README and the manual's articles, as far as tests hold their text to what there is.
enum Readme {
    /// The checkout.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder of the articles in the checkout.
    private static let articleFolder = "Sources/inspect/Manual/Articles"

    /// The paths of all articles in the checkout.
    static var articles: [String] {
        let files = FileManager.default.enumerator(atPath: root.appending(path: articleFolder).path)
        let paths = (files?.allObjects ?? []).compactMap { $0 as? String }
        return paths.filter { $0.hasSuffix(".md") }.map { "\(articleFolder)/\($0)" }
    }

    /// The path of an article in the checkout; that of no file where there is none of the name.
    static func article(_ name: String) -> String {
        articles.first { $0.hasSuffix("/\(name).md") } ?? "\(articleFolder)/\(name).md"
    }

    /// A file's text, by its path in the checkout.
    static func text(of path: String = "README.md") throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The block of code behind a marker of a file, its lines ended.
    static func block(after marker: String, in path: String = "README.md") throws -> String {
        let after = try #require(
            text(of: path).components(separatedBy: "<!-- \(marker) -->\n").dropFirst().first,
            "\(marker)"
        )
        let lines = after.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().prefix { $0 != "```" }
        return lines.joined(separator: "\n") + "\n"
    }
}
