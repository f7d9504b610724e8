import Foundation

/// A reading of the options of `start`, and which of them changed since the reading before.
struct Reload {
    /// The options that are read once, at the start: where the proxy listens and records, and how long the store's bodies are.
    static let fixed: Set<String> = [
        "port", "listen", "listen-mode", "web-port", "web-token-file", "store", "ca-directory", "session", "key-log",
        "body-limit", "decoded-limit", "daemon", "open", "log-file",
        "system-proxy",
    ]

    /// The options that hold now.
    let options: StartOptions
    /// The configuration file that was read; `nil` where there is none.
    private let path: String?
    /// What sets each option, by its name.
    private let values: [String: [String]]
    /// The options that changed and hold from now on.
    let changed: [String]
    /// The options that changed and hold after the next start only.
    let later: [String]

    /// The options that held at the start, by the file as it was then; read when first needed, which costs the start nothing.
    ///
    /// - Throws: only what the start itself would have thrown.
    init(start words: [String], environment: [String: String], file: ConfigurationFile?) throws {
        let line = try ConfiguredCommandLine(words, for: StartCommand.self, environment: environment) { _ in file }
        try self.init(line, before: nil)
    }

    /// Reads the command line, the environment and the file anew.
    ///
    /// - Parameters:
    ///   - words: the words behind `start`.
    ///   - before: the options that held until now.
    ///   - environment: the process's variables.
    /// - Throws: what of them is wrong; `InputError` when there was a file and is none: a file on its way to its place must not open what it guards.
    init(_ words: [String], before: Reload, environment: [String: String]) throws {
        let line = try ConfiguredCommandLine(words, for: StartCommand.self, environment: environment)
        if let path = before.path, line.file == nil {
            throw InputError("the configuration file \(path) is gone; an empty one would set nothing")
        }
        try self.init(line, before: before)
    }

    private init(_ line: ConfiguredCommandLine, before: Reload?) throws {
        options = try line.parsed(as: StartCommand.self).options
        let own = Dictionary(line.values.map { ($0.option.name, $0.values) }) { first, _ in first }
        let known = before?.values ?? own
        // The profile itself sets nothing; what it sets is told of.
        let names = Set(own.keys).union(known.keys).subtracting(["profile"])
        let other = names.filter { own[$0] != known[$0] }.sorted()
        values = own
        path = line.file?.path
        changed = other.filter { !Self.fixed.contains($0) }
        later = other.filter(Self.fixed.contains)
    }
}
