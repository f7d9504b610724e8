import ArgumentParser
import Foundation

/// `inspect run`: runs a command and captures its traffic, and that of no other program.
struct RunCommand: AsyncParsableCommand, ConfiguredCommand, StartsProxy {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a command so that its traffic is recorded.",
        discussion: """
            The command gets the proxy, and trust in the root, by its environment alone; nothing else of the machine changes. That reaches curl, \
            wget, git, Python, Node, Java, Go, Ruby, Rust, Deno, the AWS tools and whatever reads the usual variables. The command goes through the \
            proxy that runs on the store, or through a proxy of its own. The exit status is the command's. Other commands that run meanwhile share \
            that proxy, which ends after the last of them. It takes the configuration file of 'start', except the addresses to listen on and the \
            clients to let in. The file of --har holds what was recorded, for replays, comparisons and 'mock'; write a file that leaves this \
            machine with --share.

            Examples:
              inspect run -- curl https://example.com/
              inspect run --har npm.har --share -- npm install
              inspect run --query 'code:>=400' --har broken.har -- pytest
            """
    )

    static var ports: ListenOptions.DefaultPorts { .any }

    @Option(help: ArgumentHelp("A query that selects which exchanges to count and to write.", valueName: "query"))
    var query: String?

    @Option(help: ArgumentHelp("Leave a recording of this run.", valueName: "file"), completion: .file())
    var har: String?

    @OptionGroup(title: "Secrets") var redaction: RedactionOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "Listening") var listening: ListenOptions
    @OptionGroup(title: "Listening") var script: PACOptions
    @OptionGroup(title: "Upstreams") var upstreams: UpstreamOptions
    @OptionGroup(title: "Rules") var ruling: RuleFileOptions
    @OptionGroup var serving: ServingOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Limits") var decoding: DecodingOptions
    @OptionGroup(title: "Keeping") var keeping: KeepOptions
    @OptionGroup(title: "Log") var logging: LogOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var authority: CAOptions

    @Argument(parsing: .captureForPassthrough, help: "The command and its arguments.")
    var command: [String]

    static var unconfigured: Set<String> { StartOptions.ofOneThatStays }

    func validate() throws {
        try validateTogether()
        guard let first = command.first, first.hasPrefix("-"), first != "--" else { return }
        throw ValidationError("run has no option \(first); the command follows --, as in: inspect run -- curl -v URL")
    }

    func run() async throws {
        let words = Array(command.first == "--" ? command.dropFirst() : command[...])
        guard !words.isEmpty else {
            throw ValidationError("run needs a command: inspect run -- curl https://example.com/")
        }
        let environment = ProcessInfo.processInfo.environment
        let authority = self.authority
        let status = try await ClientRun(options: options, query: query, har: har, redaction: redaction).run { place in
            let trust = try ClientTrust(authority: authority.signing(place), environment: environment)
            let variables = ClientEnvironment(place: place, trust: trust, environment: environment)
            let command = Browser.adapted(words, to: place)
            return try await SpawnedCommand(arguments: command, environment: variables.applied(to: environment)).run()
        }
        throw ExitCode(status)
    }
}
