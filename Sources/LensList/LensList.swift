import Foundation
import PackagePlugin

/// A build plugin that lists the lenses: every type of the target whose file is named `…Lens.swift`, those in the folder General last.
///
/// Swift has no way of its own to find the types that conform to a protocol, and a list kept by hand would be a second place that a new lens touches.
@main
struct LensList: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let sources = target.sourceModule?.sourceFiles(withSuffix: "Lens.swift") else { return [] }
        let lenses = sources.map(\.url).filter { $0.lastPathComponent != "Lens.swift" }
            .map {
                (isGeneral: $0.pathComponents.contains("General"), type: $0.deletingPathExtension().lastPathComponent)
            }
            .sorted { ($0.isGeneral ? 1 : 0, $0.type) < ($1.isGeneral ? 1 : 0, $1.type) }
        let lines = lenses.map { "        \($0.type)(),\n" }.joined()
        let text = """
            extension LensSet {
                /// Every lens: those of known APIs, then the general ones.
                package static let standard = LensSet([
            \(lines)    ])
            }

            """
        let folder = context.pluginWorkDirectoryURL
        let listed = folder.appending(path: "LensSet+Standard.txt")
        let source = folder.appending(path: "LensSet+Standard.swift")
        if (try? String(contentsOf: listed, encoding: .utf8)) != text {
            try text.write(to: listed, atomically: true, encoding: .utf8)
        }
        return [
            .buildCommand(
                displayName: "List \(lenses.count) lenses",
                executable: URL(filePath: "/bin/cp"),
                arguments: [listed.path(percentEncoded: false), source.path(percentEncoded: false)],
                inputFiles: [listed],
                outputFiles: [source]
            )
        ]
    }
}
