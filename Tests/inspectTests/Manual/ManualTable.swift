import Foundation
import Traffic
import Trust

@testable import inspect

/// A table of the manual that is made from the code; an article has it between markers.
enum ManualTable: String, CaseIterable {
    case commands, keys, recipes, listening, upstreams, limits, keeping, log

    /// What stands after the table.
    static let end = "<!-- end of table -->\n"

    /// What stands before it.
    var start: String { "<!-- table: \(rawValue) -->\n" }

    /// The table as Markdown, its lines ended.
    func markdown() throws -> String {
        switch self {
        case .commands:
            let commands = Self.commands(below: try CommandInformation(of: Inspect.self))
            return Self.table(["command", "what it does"], commands)
        case .keys:
            return Self.table(
                ["key", "example", "values"],
                FilterKey.all.map { ["`\($0.name)`", "`\($0.name):\($0.example)`", $0.values] }
            )
        case .recipes:
            let header = ["client", "variable", "what it holds", "what else to know"]
            return Self.table(header, ClientRecipe.all.map { Self.row($0) })
        case .listening, .upstreams, .limits, .keeping, .log:
            let options = try CommandInformation(of: StartCommand.self).arguments.filter {
                $0.isShown && $0.section == rawValue.capitalized
            }
            return Self.table(["option", "default", "what it does"], options.compactMap { Self.row($0, of: options) })
        }
    }

    private static func commands(below command: CommandInformation, _ path: [String] = []) -> [[String]] {
        command.subcommands.flatMap { one -> [[String]] in
            let words = path + [one.name]
            return [["`\(words.joined(separator: " "))`", one.abstract]] + commands(below: one, words)
        }
    }

    /// A recipe's clients, the variables that tell them of the root, and what these hold.
    private static func row(_ recipe: ClientRecipe) -> [String] {
        let held =
            switch recipe.roots.first?.content {
            case .bundle: "the bundle"
            case .root: "the root"
            default: "what `inspect run` makes"
            }
        return [recipe.title, recipe.roots.map { "`\($0.name)`" }.joined(separator: ", "), held, recipe.note]
    }

    /// An option's names, its default and what it does; `nil` for the other name of one that is switched off by `no`.
    private static func row(_ option: ArgumentInformation, of options: [ArgumentInformation]) -> [String]? {
        let names = Set(options.flatMap(\.longNames))
        guard let name = option.longNames.first else { return nil }
        if name.hasPrefix("no-"), names.contains(String(name.dropFirst(3))) { return nil }
        let value = option.kind == .flag ? "" : " \(option.valueName.uppercased())"
        let word = names.contains("no-\(name)") ? "`--\(name)`, `--no-\(name)`" : "`--\(name)\(value)`"
        let prefix = "Default: "
        guard option.discussion.hasPrefix(prefix) else {
            let text = option.discussion.isEmpty ? option.abstract : "\(option.abstract) \(option.discussion)"
            return [word, option.defaultValue ?? "", text]
        }
        let standard = option.discussion.dropFirst(prefix.count)
        return [word, String(standard.hasSuffix(".") ? standard.dropLast() : standard), option.abstract]
    }

    private static func table(_ header: [String], _ rows: [[String]]) -> String {
        ([header] + [header.map { _ in "---" }] + rows).enumerated().map { index, cells in
            let texts = cells.map { $0.replacing("\n", with: " ").replacing("|", with: "\\|") }
            return index == 1 ? "|\(texts.joined(separator: "|"))|\n" : "| \(texts.joined(separator: " | ")) |\n"
        }.joined()
    }
}
