import Foundation

/// A command's page of the manual in the macros of man(7), written from its declarations.
struct CommandManual {
    let command: CommandInformation
    /// The words that call the command: `inspect config check`.
    let path: [String]

    /// The page's name: `inspect-config-check`.
    var name: String { path.joined(separator: "-") }

    /// The pages of a command and all below it.
    static func all(of command: CommandInformation, below path: [String] = []) -> [CommandManual] {
        let own = path + [command.name]
        return [CommandManual(command: command, path: own)] + command.subcommands.flatMap { all(of: $0, below: own) }
    }

    /// The page.
    var troff: String {
        var lines = [
            ".TH \(quoted(name.uppercased())) 1 \"\" \(quoted("inspect \(BuildVersion.text)")) \"User Commands\"",
            ".SH NAME",
            "\(text(name)) \\- \(text(command.abstract))", ".SH SYNOPSIS", ".nh",
            ".B \(text(path.joined(separator: " ")))",
        ]
        lines += synopsis + [".hy"]
        if !command.discussion.isEmpty { lines += [".SH DESCRIPTION"] + paragraphs(command.discussion) }
        if !command.subcommands.isEmpty {
            lines.append(".SH COMMANDS")
            for sub in command.subcommands {
                lines += [".TP", ".B \(text(sub.name))", line(sub.abstract)]
            }
        }
        lines += options
        lines += [
            ".SH EXIT STATUS",
            "0 when all went well, 1 when a check, diff or assertion failed, 2 for a mistake in the command or its input.",
        ]
        if let parent = path.count > 1 ? path.dropLast().joined(separator: "-") : nil {
            lines += [".SH SEE ALSO", ".BR \(text(parent)) (1)"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var shown: [ArgumentInformation] { command.arguments.filter(\.isShown) }

    private var synopsis: [String] {
        var lines: [String] = []
        if !command.subcommands.isEmpty { lines.append(".I command") }
        if shown.contains(where: { $0.kind != .positional }) { lines.append("[\\fIoption\\fR ...]") }
        for argument in shown where argument.kind == .positional {
            let word = "\\fI\(text(argument.valueName))\\fR" + (argument.isRepeating ? " ..." : "")
            lines.append(argument.isOptional ? "[\(word)]" : word)
        }
        return lines
    }

    /// The arguments by the sections of the help page, each with its names, its value and what it does.
    private var options: [String] {
        var lines: [String] = []
        let positional = shown.filter { $0.kind == .positional }
        if !positional.isEmpty {
            lines.append(".SH ARGUMENTS")
            for argument in positional {
                lines += [".TP", ".I \(text(argument.valueName))"] + described(argument)
            }
        }
        var sections: [String] = []
        let named = shown.filter { $0.kind != .positional }
        for argument in named where !sections.contains(argument.section) { sections.append(argument.section) }
        // Those without a title come first, as in the help page.
        for section in sections.sorted(by: { $0.isEmpty && !$1.isEmpty }) {
            lines.append(".SH \(section.isEmpty ? "OPTIONS" : quoted(section.uppercased() + " OPTIONS"))")
            for argument in named where argument.section == section {
                lines += [".TP", names(argument)] + described(argument)
            }
        }
        return lines
    }

    private func names(_ argument: ArgumentInformation) -> String {
        let names = argument.shortNames.map { "-\($0)" } + argument.longNames.map { "--\($0)" }
        let bold = names.map { "\\fB\(text($0))\\fR" }.joined(separator: ", ")
        return argument.kind == .option ? "\(bold) \\fI\(text(argument.valueName))\\fR" : bold
    }

    private func described(_ argument: ArgumentInformation) -> [String] {
        var lines = argument.abstract.isEmpty ? [] : [line(argument.abstract)]
        if !argument.discussion.isEmpty { lines.append(line(argument.discussion)) }
        let isSaid = argument.discussion.hasPrefix("Default: ") || argument.kind != .option
        if let standard = argument.defaultValue, !isSaid { lines.append(line("Default: \(standard).")) }
        return lines
    }

    /// Paragraphs of a discussion; lines that begin with blanks stay as they are.
    private func paragraphs(_ discussion: String) -> [String] {
        var lines: [String] = []
        var isVerbatim = false
        for written in discussion.split(separator: "\n", omittingEmptySubsequences: false) {
            let isIndented = written.hasPrefix("  ")
            if isIndented != isVerbatim {
                lines.append(isIndented ? ".nf" : ".fi")
                isVerbatim = isIndented
            }
            lines.append(written.isEmpty ? ".PP" : line(String(written)))
        }
        return lines + (isVerbatim ? [".fi"] : [])
    }

    /// Text as one line of input: what troff would read as a request or an escape stands for itself.
    private func line(_ words: String) -> String {
        let plain = text(words.replacing("\n", with: " "))
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }

    private func text(_ words: String) -> String {
        words.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "^": "\\(ha"
            case "~": "\\(ti"
            case _ where scalar.isASCII: String(scalar)
            default: "\\[u\(String(format: "%04X", scalar.value))]"
            }
        }.joined()
    }

    private func quoted(_ words: String) -> String { "\"\(text(words).replacing("\"", with: "\\(dq"))\"" }
}
