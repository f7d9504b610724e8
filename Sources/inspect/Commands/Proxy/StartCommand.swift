import ArgumentParser
import Foundation
import Proxy
import ServiceLifecycle
import UnixSignals

/// `inspect start`: the proxy and its page, until a signal stops them.
struct StartCommand: AsyncParsableCommand, ConfiguredCommand, StartsProxy {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Run the proxy and its page, and record what passes.",
        discussion: """
            With --open it opens the page too, and says what to do next. Point a client at the proxy and let it trust the root certificate \
            ('inspect ca' shows how). Everything that passes is recorded \
            into the store, which every other command reads, now or later. Ctrl-C, SIGTERM and 'inspect stop' end it after open exchanges have \
            ended; SIGHUP has it read its configuration and certificates anew.
            """
    )

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
        let arguments = Array(CommandLine.arguments.dropFirst())
        if background.open, !background.detached, try await opensRunning() { return }
        if background.daemon, !background.detached { return try startDaemon(arguments) }
        let options = options
        let logPath = background.logPath(options)
        let log = try LogOutput(
            path: logPath,
            format: logging.format,
            level: logging.level(inFile: logPath != nil).level
        )
        let service = StartService(
            options: options,
            isDetached: background.detached,
            isOpening: background.open,
            words: CommandPath(arguments).rest,
            environment: ProcessInfo.processInfo.environment,
            log: log
        )
        let configuration = ServiceGroupConfiguration(
            services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
            gracefulShutdownSignals: [.sigint, .sigterm],
            // What a service throws is told once, by the command.
            logger: .silent
        )
        try await ServiceGroup(configuration: configuration).run()
    }

    /// Opens the page of the proxy that runs on the store already, and says where that is; `false` where none runs.
    ///
    /// - Throws: `InputError` when the proxy is stopping.
    private func opensRunning() async throws -> Bool {
        guard let running = try InstanceFile.readWriting(for: store.path) else { return false }
        guard running.isStopping != true else { throw refusal(running) }
        let opening = await PageOpening.open(running, environment: ProcessInfo.processInfo.environment)
        let opened = OpenedProxy(running: running, opening: opening, places: options.places)
        try Console.write(Array(opened.text.utf8), to: STDOUT_FILENO)
        return true
    }

    /// Why no proxy can be started beside the one that records into the store.
    private func refusal(_ running: InstanceFile) -> InputError {
        let state = running.isStopping == true ? "is stopping and still records" : "already records"
        let fix = running.isStopping == true ? "waits for its end" : "stops it"
        return InputError("process \(running.pid) \(state) into \(running.storePath); 'inspect stop' \(fix)")
    }

    private func startDaemon(_ arguments: [String]) throws {
        if let running = try InstanceFile.readWriting(for: store.path) { throw refusal(running) }
        do {
            _ = try Daemon(arguments: arguments + ["--detached"]).start()
        } catch let ended as DaemonEnded {
            throw ExitCode(ended.status == 0 ? CommandFailure.usageStatus : ended.status)
        }
    }
}
