import Foundation
import PackagePlugin

/// Carries the text files among a target's sources inside it: the page's scripts and style sheets, the manual's articles.
///
/// A file is a string literal of the source that the build makes of it. As an array of bytes, which is what the package manager makes of a resource, the
/// page's files took the compiler a minute.
@main
struct EmbeddedText: BuildToolPlugin {
    /// Writes the source: its own first argument is where, and each pair of the others a constant's name and a file; standard input is what comes last.
    ///
    /// A text of more lines ends before the line feed in front of its closing quotation marks, so that what is between is the file, byte for byte.
    private static let script = #####"""
        set -e
        source=$1 list=$2
        shift 2
        {
            printf '/// The text files of this target.\nenum EmbeddedText {\n'
            while [ $# -gt 0 ]; do
                printf '    static var %s: String {\n####"""\n' "$1"
                cat "$2"
                printf '\n"""####\n    }\n'
                shift 2
            done
            cat "$list"
            printf '}\n'
        } > "$source"
        """#####

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let files = try texts(under: target.directoryURL)
        let rows = files.map { "            \"\($0.lastPathComponent)\": \(constant(of: $0)),\n" }.joined()
        let text = """
                /// All of them, by the files' names.
                static var all: [String: String] {
                    [
            \(rows)        ]
                }

            """
        let folder = context.pluginWorkDirectoryURL
        let list = folder.appending(path: "EmbeddedText.txt")
        let source = folder.appending(path: "EmbeddedText.swift")
        if (try? String(contentsOf: list, encoding: .utf8)) != text {
            try text.write(to: list, atomically: true, encoding: .utf8)
        }
        let pairs = files.flatMap { [constant(of: $0), $0.path(percentEncoded: false)] }
        let places = [source, list].map { $0.path(percentEncoded: false) }
        return [
            .buildCommand(
                displayName: "Embed \(files.count) text files in \(target.name)",
                executable: URL(filePath: "/bin/sh"),
                arguments: ["-c", Self.script, "sh"] + places + pairs,
                inputFiles: [list] + files,
                outputFiles: [source]
            )
        ]
    }

    /// Every file of a folder and of those in it, by its path, but for Swift's, what has no extension (the folders) and what is hidden (an editor's).
    private func texts(under folder: URL) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
            .sorted()
            .map { folder.appending(path: $0) }
            .filter { !["", "swift"].contains($0.pathExtension) && !$0.lastPathComponent.hasPrefix(".") }
    }

    /// The name of a file's constant: the file's, with `_` for what no name in Swift may have.
    private func constant(of file: URL) -> String {
        String(file.lastPathComponent.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }
}
