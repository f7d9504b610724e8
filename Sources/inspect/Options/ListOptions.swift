import ArgumentParser

/// How much of each list a command prints: `--limit`.
struct ListOptions: ParsableArguments {
    @Option(help: Limit.help("At most this many rows of each list."), transform: Limit.init(option:))
    var limit = Limit.standard
}
