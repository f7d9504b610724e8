import Foundation
import Store
import Synchronization
import Traffic

/// A command run through a proxy: through the one that runs on the store, else through one of its own for as long as it runs.
struct ClientRun: Sendable {
    let options: StartOptions
    let command: [String]
    /// Which of the exchanges are told and written; all of them without.
    let query: String?
    /// The HAR file to leave.
    let har: String?

    /// Runs the command, tells on standard error what was recorded, and leaves the file.
    ///
    /// - Returns: the command's exit status.
    /// - Throws: `InputError`, `StoreError`, `FilterError` when something cannot be used, before the command starts where that is known then.
    func run() async throws -> Int32 {
        if let query { _ = try FilterParser.parse(query, now: Moment.microseconds(Date())) }
        let environment = ProcessInfo.processInfo.environment
        let trust = try ClientTrust(authority: options.authority, environment: environment)
        let before = try newest()
        let status = Mutex<Int32?>(nil)
        if let running = try InstanceFile.read(for: options.store.path) {
            let (host, port) = try Self.explicitPlace(of: running)
            return try await finish(start(host, port, trust, environment), since: before)
        } else {
            try await Instance(options: options, ports: .any).run { instance in
                guard let listener = instance.listeners.first(where: { $0.way == .explicit }) else {
                    throw InputError("run sends traffic to an explicit listener; add --listen-mode explicit@0")
                }
                let ended = try await start(listener.host, listener.port, trust, environment)
                status.withLock { $0 = ended }
            }
            return try finish(status.withLock { $0 }, since: before)
        }
    }

    private func finish(_ status: Int32?, since before: ExchangeID) throws -> Int32 {
        guard let status else { return SpawnedCommand.notFound }
        try tell(since: before)
        return status
    }

    private func start(_ host: String, _ port: Int, _ trust: ClientTrust, _ environment: [String: String]) async throws
        -> Int32?
    {
        let near = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        let variables = ClientEnvironment(
            host: near,
            port: port,
            credentials: try options.listening.encodedCredentials(),
            trust: trust,
            environment: environment
        )
        return try await SpawnedCommand(arguments: command, environment: variables.applied(to: environment)).run()
    }

    /// The last exchange of the store; 0 where there is none yet.
    private func newest() throws -> ExchangeID {
        guard FileManager.default.fileExists(atPath: options.store.path) else { return 0 }
        return try options.store.openForReading().page(ListingQuery(filter: Filter(), limit: 1)).exchanges.first?.id
            ?? 0
    }

    /// Says what came after an exchange, and writes it to the file.
    private func tell(since before: ExchangeID) throws {
        let newest = try newest()
        let range = "id:\(before + 1)..\(max(newest, before + 1))"
        let text = query.map { "\(range) (\($0))" } ?? range
        let store = try options.store.openForReading()
        let ids = try store.ids(FilterParser.parse(text, now: Moment.microseconds(Date())))
        if let har {
            let file = try OutputFile(har)
            let exporter = Exporter(store: store, scope: .ended)
            _ = try exporter.write(ids, as: .har) { try file.write($0) }
            try file.finish()
        }
        let failed = try store.ids(FilterParser.parse("\(range) code:failed", now: 0))
        var line = "inspect: \(ids.count) \(ids.count == 1 ? "exchange" : "exchanges") recorded"
        if !failed.isEmpty { line += ", \(failed.count) failed" }
        if let har { line += ", written to \(TerminalText.escaped(har))" }
        if let first = ids.first, let last = ids.last {
            line +=
                "; see: inspect ls \(first == last ? "id:\(first)" : "id:\(first)..\(last)") --store \(ShellText.quoted(options.store.path))"
        } else {
            line +=
                "; if the command asked for something, it took neither its proxy nor its roots from its environment ('inspect ca' shows other ways)"
        }
        try Console.write(Array((line + "\n").utf8), to: STDERR_FILENO)
    }

    /// Where a running proxy is reached by a client that knows of proxies.
    ///
    /// - Throws: `InputError` where it has no explicit listener.
    static func explicitPlace(of running: InstanceFile) throws -> (host: String, port: Int) {
        guard let place = running.listeners.first(where: { $0.mode == "explicit" })?.address, let found = split(place)
        else {
            throw InputError(
                "the proxy that runs on \(running.storePath) has no explicit listener; start it with --listen-mode explicit@9090 too"
            )
        }
        return (["0.0.0.0": "127.0.0.1", "::": "::1"][found.host] ?? found.host, found.port)
    }

    /// A listener's address as host and port, without brackets.
    private static func split(_ place: String) -> (host: String, port: Int)? {
        guard let colon = place.lastIndex(of: ":"), let port = Int(place[place.index(after: colon)...]) else {
            return nil
        }
        let host = place[..<colon]
        return (host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : String(host), port)
    }
}
