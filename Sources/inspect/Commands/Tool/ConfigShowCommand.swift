import ArgumentParser
import Foundation

/// `inspect config show`: what holds for `start`, and where each value comes from.
struct ConfigShowCommand: AsyncParsableCommand, ConfiguredCommand, StartsProxy {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print each option of 'start' with its value and what set it.",
        discussion: """
            A flag, a variable, a line of the file or the default sets it. The command takes the options of 'start' and shows what they would do. \
            Passwords are covered.
            """
    )

    @OptionGroup var output: OutputOptions
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
    @OptionGroup var background: BackgroundOptions

    func run() async throws {
        let path = CommandPath(Array(CommandLine.arguments.dropFirst()))
        let line = try ConfiguredCommandLine(
            path.rest,
            for: Self.self,
            environment: ProcessInfo.processInfo.environment
        )
        let places = ["store": store.path, "ca-directory": authority.directory]
        try Console().write(ConfigShowReport(line, places: places), output)
    }
}
