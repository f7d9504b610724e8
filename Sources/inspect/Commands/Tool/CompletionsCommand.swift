import ArgumentParser
import Foundation
import Traffic

/// `inspect completions`: what a shell completes behind `inspect`.
struct CompletionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print a shell's completion script, or install it.",
        discussion: """
            Examples:
              inspect completions bash --install
              source <(inspect completions bash)
            """,
        shouldDisplay: false
    )

    @Argument(help: "bash, zsh or fish.")
    var shell: CompletionPlace

    @Flag(help: "Write it where the shell looks for it, and say where that is.")
    var install = false

    func run() async throws {
        let script = Inspect.completionScript(for: shell.shell)
        guard install else { return try Console.write(Array((script + "\n").utf8), to: STDOUT_FILENO) }
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
        let path = shell.path(environment: environment, home: home)
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let file = try OutputFile(named: path, mode: 0o644)
        try file.write(Array((script + "\n").utf8))
        try file.finish()
        let lines = ["wrote \(path)"] + [shell.advice(path)].compactMap { $0 }
        try Console.write(Array(lines.map { VisibleText.line($0) + "\n" }.joined().utf8), to: STDOUT_FILENO)
    }
}
