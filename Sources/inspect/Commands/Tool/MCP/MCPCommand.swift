import ArgumentParser
import Foundation
import Store
import Traffic

/// `inspect mcp`: the captures for an agent, as a server of the Model Context Protocol on standard input and output.
struct MCPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Serve captures to an agent (Model Context Protocol).",
        discussion: """
            It is a server on standard input and output, for an agent's configuration: command 'inspect', arguments 'mcp' and '--store PATH'. Its \
            tools are filter, search, show, stats and check, over the same query text as everywhere, rules and rules_try, and replay where \
            --allow-replay is given. \
            Secrets are masked by placeholders, unless --no-redact; results are cut to --result-limit. Replays need a running proxy.
            """
    )

    @Flag(name: .customLong("no-redact"), help: "Show secrets as they were recorded.")
    var showsSecrets = false

    @Flag(
        name: .customLong("allow-replay"),
        help:
            "Let the agent send recorded requests again, to origins that are in the store. Captured text may talk it into that."
    )
    var allowsReplay = false

    @Option(
        name: .customLong("redact-pattern"),
        help: ArgumentHelp(
            "Mask what this regular expression matches too, or its first group; may be repeated.",
            valueName: "regex"
        )
    )
    var patterns: [String] = []

    @Option(
        help: ArgumentHelp("The longest result of a tool; texts and lists of a longer one are cut.", valueName: "size"),
        transform: ByteCount.init(orNone:)
    )
    var resultLimit = ByteCount(64 << 10)

    @OptionGroup var store: StoreOptions

    mutating func validate() throws {
        if showsSecrets, !patterns.isEmpty {
            throw ValidationError("--redact-pattern masks and --no-redact does not; give one of them")
        }
        for pattern in patterns where (try? NSRegularExpression(pattern: pattern)) == nil || pattern.isEmpty {
            throw ValidationError("--redact-pattern \(pattern): expected a regular expression")
        }
        if resultLimit.bytes < 1_024 { throw ValidationError("--result-limit \(resultLimit): expected 1k or more") }
    }

    func run() async throws {
        let patterns = try patterns.map { try NSRegularExpression(pattern: $0) }
        let redactor = showsSecrets ? nil : SharedRedactor(Redactor.fresh(patterns: patterns))
        let server = MCPServer(
            context: MCPContext(store: store, redactor: redactor, resultLimitBytes: resultLimit.bytes),
            tools: [FilterTool(), SearchTool(), ShowTool(), StatisticsTool(), CheckTool(), RulesTool(), RulesTryTool()]
                + (allowsReplay ? [ReplayTool()] : [])
        )
        let session = MCPSession(server) { try Console.write($0, to: STDOUT_FILENO) }
        try await session.run(RPCLines(STDIN_FILENO, limitBytes: MCPSession.lineLimitBytes))
    }
}
