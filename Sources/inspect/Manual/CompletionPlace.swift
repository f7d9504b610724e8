import ArgumentParser
import Foundation
import Traffic

/// A shell whose completions can be written, and where it looks for them.
enum CompletionPlace: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    /// The parser's name for the shell.
    var shell: CompletionShell {
        switch self {
        case .bash: .bash
        case .zsh: .zsh
        case .fish: .fish
        }
    }

    /// The file where the shell finds the completions by itself, or zsh with one line in its configuration.
    func path(environment: [String: String], home: String) -> String {
        func directory(_ variable: String, _ usual: String) -> String {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + usual
        }
        switch self {
        case .bash:
            let own = environment["BASH_COMPLETION_USER_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            return (own ?? directory("XDG_DATA_HOME", "/.local/share") + "/bash-completion") + "/completions/inspect"
        case .zsh: return directory("XDG_DATA_HOME", "/.local/share") + "/zsh/site-functions/_inspect"
        case .fish: return directory("XDG_CONFIG_HOME", "/.config") + "/fish/completions/inspect.fish"
        }
    }

    /// What the user still has to do.
    func advice(_ path: String) -> String? {
        guard self == .zsh else { return nil }
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return "add to ~/.zshrc, before compinit: fpath=(\(ShellWord(directory)) $fpath)"
    }
}
