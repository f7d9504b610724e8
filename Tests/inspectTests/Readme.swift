import Foundation
import Testing

/// The README, as far as tests hold its text to what there is.
enum Readme {
    /// The checkout.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The block of code behind a marker, its lines ended.
    static func block(after marker: String) throws -> String {
        let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
        let after = try #require(text.components(separatedBy: "<!-- \(marker) -->\n").dropFirst().first, "\(marker)")
        let lines = after.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().prefix { $0 != "```" }
        return lines.joined(separator: "\n") + "\n"
    }
}
