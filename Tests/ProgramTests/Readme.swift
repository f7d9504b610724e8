import Foundation
import Testing

/// The README and the manual's articles, as far as tests hold their text to what there is.
enum Readme {
    /// The checkout.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The path of an article in the checkout.
    static func article(_ name: String) -> String { "Sources/inspect/Manual/Articles/\(name).md" }

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
