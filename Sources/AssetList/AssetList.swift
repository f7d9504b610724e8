import Foundation
import PackagePlugin

/// Lists the files that the page is made of: every script, style sheet and picture under `Assets`, by its name.
///
/// The folders are for readers; a browser asks for a name alone. A list kept by hand would be a second place that a new file touches.
@main
struct AssetList: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let files = target.sourceModule?.sourceFiles else { return [] }
        let names = files.map(\.url)
            .filter { $0.pathComponents.contains("Assets") && ["js", "css", "svg"].contains($0.pathExtension) }
            .map(\.lastPathComponent)
            .sorted()
        let lines = names.map { "        case \"\($0)\": PackageResources.\(constant(of: $0))\n" }.joined()
        let text = """
            extension Asset {
                /// The bytes of the file of this name; `nil` when there is none.
                static func bytes(named name: String) -> [UInt8]? {
                    switch name {
            \(lines)        default: nil
                    }
                }
            }

            """
        let folder = context.pluginWorkDirectoryURL
        let listed = folder.appending(path: "Asset+Bytes.txt")
        let source = folder.appending(path: "Asset+Bytes.swift")
        if (try? String(contentsOf: listed, encoding: .utf8)) != text {
            try text.write(to: listed, atomically: true, encoding: .utf8)
        }
        return [
            .buildCommand(
                displayName: "List \(names.count) files of the page",
                executable: URL(filePath: "/bin/cp"),
                arguments: [listed.path(percentEncoded: false), source.path(percentEncoded: false)],
                inputFiles: [listed],
                outputFiles: [source]
            )
        ]
    }

    /// What the build calls the constant that it makes of a file: its name with `_` for what no name in Swift may have.
    private func constant(of name: String) -> String {
        String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }
}
