import Foundation
import Logging
import Proxy
import ServiceLifecycle
import UnixSignals

/// Runs an instance until the service group shuts down, tells a service manager how it is, and reads the configuration anew at SIGHUP.
struct StartService: Service {
    let options: StartOptions
    /// Whether the process was started to run without a terminal.
    let isDetached: Bool
    /// Whether to open the page.
    let isOpening: Bool
    /// The words behind `start`.
    let words: [String]
    let environment: [String: String]
    let log: LogOutput

    private var logger: Logger { log.logger("inspect") }

    func run() async throws {
        let manager = NotifySocket(environment: environment)
        let terminal = ControllingTerminal()
        let sources = try ConfigurationSources(commandLine: CommandLineWords(words), environment: environment)
        let file = try sources.file()
        // Before anything is served, so that no such signal ends the process.
        let hangups = await UnixSignalsSequence(trapping: .sighup)
        try await Instance(options: options, log: log.path, logger: logger).run { instance in
            try await begin(instance)
            manager?.tell(.ready(status(instance)))
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await gracefulShutdown() }
                #if canImport(Glibc)
                group.addTask { await FreedMemory.watch() }
                #endif
                group.addTask { await follow(hangups, terminal, file, instance, manager) }
                if let manager, let interval = manager.aliveInterval {
                    group.addTask { await beat(instance, manager, every: interval) }
                }
                await group.next()
                group.cancelAll()
            }
            manager?.tell(.stopping)
            logger.notice("stopping; waiting for open exchanges to end", metadata: ["seconds": "\(drainSeconds)"])
        }
        logger.notice("stopped; everything that passed is in the store")
        log.flush()
    }

    private var drainSeconds: Int { options.limits.drain }

    /// Opens the page if asked to, and prints where the proxy, its page and its store are.
    private func begin(_ instance: RunningInstance) async throws {
        var guide = StartGuide(
            options: options,
            instance: instance,
            logPath: log.path,
            isDetached: isDetached,
            isForOthers: JournalStream.isThis(STDOUT_FILENO, environment: environment)
        )
        if isOpening, let running = try InstanceFile.read(for: instance.storePath) {
            guide.opening = await PageOpening.open(running, environment: environment)
        }
        try Console.write(Array(guide.text.utf8), to: STDOUT_FILENO)
        logger.info(
            "started",
            metadata: [
                "listening": "\(instance.listeners.map(\.description).joined(separator: " "))",
                "store": "\(instance.storePath)", "pid": "\(getpid())", "version": "\(BuildVersion.text)",
            ]
        )
        for warning in instance.warnings { logger.warning("\(warning)") }
        if isDetached { Daemon.becameReady(log: log) }
    }

    private func status(_ instance: RunningInstance) -> String {
        "Recording what passes \(instance.listeners.map(\.place).joined(separator: ", "))"
    }

    /// Tells the manager that the process is alive, as long as every event loop has its turn.
    private func beat(_ instance: RunningInstance, _ manager: NotifySocket, every interval: Duration) async {
        while !Task.isCancelled {
            guard (try? await instance.beat()) != nil else { return }
            manager.tell(.alive)
            try? await Task.sleep(for: interval)
        }
    }

    /// Reads the configuration anew at each SIGHUP; ends when the terminal is gone that the process hung on, which is told the same way.
    private func follow(
        _ hangups: UnixSignalsSequence,
        _ terminal: ControllingTerminal,
        _ file: ConfigurationFile?,
        _ instance: RunningInstance,
        _ manager: NotifySocket?
    ) async {
        var reading: Reload?
        for await _ in hangups {
            if terminal.isGone {
                logger.notice("the terminal is gone")
                return
            }
            manager?.tell(.reloading)
            do {
                try log.reopen()
                let before = try reading ?? Reload(start: words, environment: environment, file: file)
                let next = try Reload(words, before: before, environment: environment)
                try await instance.reload(next.options)
                let logging = next.options.logging
                log.set(format: logging.format, level: logging.level(inFile: log.path != nil).level)
                tell(next)
                reading = next
            } catch {
                logger.error(
                    "the configuration was not read anew, and what held before holds on: \(CommandFailure.sentence(error))"
                )
            }
            manager?.tell(.ready(status(instance)))
        }
        // Nothing more comes when the task is cancelled, and the others decide how it ends.
        try? await gracefulShutdown()
    }

    private func tell(_ next: Reload) {
        let changed = next.changed.isEmpty ? "nothing" : next.changed.joined(separator: ", ")
        logger.notice("read the configuration and the certificates anew", metadata: ["changed": "\(changed)"])
        guard !next.later.isEmpty else { return }
        logger.warning(
            "some options hold after the next start only",
            metadata: ["options": "\(next.later.joined(separator: ", "))"]
        )
    }
}
