import Foundation

/// What of the options of `start` is another than when they were last read.
struct Reload {
    /// What is read once, at the start: where it listens, where it records, and how long the store's bodies are.
    static let fixed: Set<String> = [
        "port", "listen", "listen-mode", "web-port", "web-token-file", "store", "ca-directory", "session", "key-log",
        "body-limit", "decoded-limit", "daemon", "log-file",
    ]

    /// The options that hold now.
    let options: StartOptions
    /// By name, what sets them.
    private let values: [String: [String]]
    /// What changed and holds from now on.
    let changed: [String]
    /// What changed and holds after the next start only.
    let later: [String]

    /// Reads the command line, the environment and the file.
    ///
    /// - Parameters:
    ///   - words: what was given behind `start`.
    ///   - before: what held until now; `nil` at the start.
    ///   - environment: the process's variables.
    /// - Throws: what of them is wrong.
    init(_ words: [String], before: Reload?, environment: [String: String]) throws {
        let line = try ConfiguredCommandLine(words, for: StartCommand.self, environment: environment)
        do {
            options = try StartCommand.parse(line.words).settings.options
        } catch {
            try line.explain()
            throw error
        }
        values = Dictionary(line.values.map { ($0.option.name, $0.values) }) { first, _ in first }
        let names = Set(values.keys).union(before?.values.keys ?? [:].keys).subtracting(["profile"])
        let known = before?.values ?? values
        let own = values
        let other = names.filter { own[$0] != known[$0] }.sorted()
        changed = other.filter { !Self.fixed.contains($0) }
        later = other.filter(Self.fixed.contains)
    }
}
