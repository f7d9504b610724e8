import Foundation
import Traffic

/// How to make clients trust a root: facts about it, and for each client the commands, the root's real path in them.
///
/// A value, so that the terminal and the page draw the same guide.
package struct TrustGuide: Sendable, Equatable {
    /// A line about the root itself.
    package struct Fact: Sendable, Equatable {
        package let label: String
        package let value: String
    }

    /// One client or system and what to run there.
    package struct Section: Sendable, Equatable {
        package let title: String
        /// What to know before, in one or two sentences.
        package let note: String
        /// Shell commands, each complete by itself.
        package let commands: [String]
        /// What takes the trust back; empty when closing the shell does.
        package let undo: [String]
    }

    package let facts: [Fact]
    package let sections: [Section]

    /// Describes `root` as it lies in `files`.
    package init(root: RootCertificate, files: TrustFiles) {
        facts = [
            Fact(label: "Certificate", value: files.certificatePath),
            Fact(label: "Key", value: files.keyPath + " (never give it to anyone)"),
            Fact(label: "Name", value: root.commonName),
            Fact(label: "SHA-256", value: root.fingerprint),
            Fact(
                label: "Valid",
                value: "\(root.notBefore.formatted(.iso8601)) to \(root.notAfter.formatted(.iso8601))"
            ),
        ]
        sections = Self.sections(
            certificate: ShellWord(files.certificatePath),
            bundle: ShellWord(files.bundlePath),
            name: ShellWord(root.commonName),
            systemFile: "/usr/local/share/ca-certificates/" + root.systemFileName
        )
    }

    /// The guide as plain text for a terminal, commands indented by four spaces.
    package var text: String {
        let width = facts.map(\.label.count).max() ?? 0
        var lines = facts.map { $0.label.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $0.value }
        for section in sections {
            lines += ["", section.title, "  " + section.note]
            lines += section.commands.map { "    " + $0 }
            if !section.undo.isEmpty {
                lines.append("  To take it back:")
                lines += section.undo.map { "    " + $0 }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
