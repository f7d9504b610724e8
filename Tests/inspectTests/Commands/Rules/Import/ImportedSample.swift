import Testing
import Traffic

@testable import inspect

/// What an import of a text prints, read again by the reader of rules files.
struct ImportedSample {
    let text: String
    let summary: String
    let rules: [Rule]

    init(_ file: String, path: String = "file") throws {
        let imported = try ImportedRules(file, path: path)
        (text, summary) = (imported.text, imported.summary)
        let (read, problems) = try RuleFiles.read(text, path: "rules.yaml")
        #expect(problems.map(\.description) == [], "\(text)")
        let saidCount = imported.rules.count { $0.isSaid }
        #expect(RuleReader.duplicates(in: read).isEmpty && read.count == saidCount, "\(text)")
        #expect(read.allSatisfy { $0.isOff }, "\(text)")
        rules = read
    }

    /// The lines without those that every rule has.
    var lines: [String] {
        text.split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("# Rules of") && !["rules:", "rules: []", "  off: true"].contains($0) }
    }

    /// The lines but for the rules' names.
    var actions: [String] { lines.filter { !$0.hasPrefix("- name: ") }.map(\.trimmingBlanks) }
}
