import Archive
import Foundation
import Proxy
import Store
import Synchronization
import Traffic

/// Runs a program through the proxy that runs on the store, or else through a proxy of its own for as long as the program runs.
struct ClientRun: Sendable {
    let options: StartOptions
    /// Selects the exchanges that are counted and written; `nil` selects every one.
    let query: String?
    /// The HAR file to write; `nil` for none.
    let har: String?
    /// Which secrets of the HAR file are masked.
    let redaction: RedactionOptions

    /// How long the proxy of another command may take to begin or to end: meanwhile it writes the store, and lets no client in.
    private static let changeLimit = Duration.seconds(15)

    /// Runs the program, says on standard error what was recorded, and writes the file.
    ///
    /// - Parameter launch: starts it with its proxy and waits for its end; returns its exit status, `nil` where it could not be started.
    /// - Returns: the exit status.
    /// - Throws: `InputError`, `StoreError`, `FilterError` when something cannot be used, before the program starts where that is known then.
    func run(_ launch: @escaping @Sendable (ProxyPlace) async throws -> Int32?) async throws -> Int32 {
        let expanded = ClientRun(options: options, query: try expandedQuery(), har: har, redaction: redaction)
        return try await expanded.runExpanded(launch)
    }

    /// The query with what saved searches stand for in it, so that nothing that becomes of them meanwhile can lose the recording.
    ///
    /// - Throws: `FilterError` where it cannot be read or a search is not saved; `InputError` for numbers, which nobody knows before.
    private func expandedQuery() throws -> String? {
        guard let query else { return nil }
        let selector = try Selector([query])
        if case .numbers = selector.text {
            throw InputError(
                "--query \(VisibleText.line(query)): the numbers of exchanges are not known before they are recorded; '\"404\"' is text"
            )
        }
        try selector.check(now: Date())
        // Only a query that names a search needs a store, which may be none that can be read yet.
        let isPlain = (try? selector.queryText(expanding: [])) != nil
        let isThere = FileManager.default.fileExists(atPath: options.store.path)
        let searches = isThere && !isPlain ? try options.store.openForReading().savedSearches() : []
        let text = try selector.queryText(expanding: searches)
        try Selector(query: text).check(now: Date())
        return text
    }

    private func runExpanded(_ launch: @escaping @Sendable (ProxyPlace) async throws -> Int32?) async throws -> Int32 {
        if har == nil, try redaction.redactor() != nil {
            throw InputError("masking is for the file of --har, and never for the store; give --har FILE too")
        }
        // What cannot be written is said before anything runs.
        let file = try har.map { try OutputFile(named: $0) }
        let logging = options.logging
        let path = logging.givenFile
        let log = try LogOutput(
            path: path,
            format: logging.format,
            level: logging.level(inFile: path != nil).level
        )
        defer { log.flush() }
        var instance = Instance(options: options, ports: .any, log: path, logger: log.logger("inspect"))
        instance.isLent = true
        var deadline = ContinuousClock.now + Self.changeLimit
        while true {
            if let ended = try await runAsGuest(launch) { return try finish(ended, into: file) }
            // One that ends says how long it may take.
            if try InstanceFile.readWriting(for: options.store.path) != nil {
                deadline = ContinuousClock.now + Self.changeLimit
            }
            do {
                return try finish(await run(instance, launch), into: file)
            } catch let error as StoreError where error.isBeingWritten && ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// A program that has run.
    struct Ended: Sendable {
        /// Its exit status; `nil` where it could not be started.
        let status: Int32?
        /// The last exchange before it.
        let before: ExchangeID
        /// The last that can be its own; `nil` where nobody else's came after it.
        var through: ExchangeID?
    }

    /// Has the program run through the proxy that runs on the store.
    ///
    /// - Returns: `nil` where no proxy runs.
    private func runAsGuest(_ launch: (ProxyPlace) async throws -> Int32?) async throws -> Ended? {
        guard var running = try InstanceFile.read(for: options.store.path) else { return nil }
        // One that 'start' began does not end after its guests.
        let guests = running.isLent == true ? try GuestLock(storePath: options.store.path) : nil
        try await guests?.enter()
        defer { guests?.leave() }
        if guests != nil {
            // It may have ended while this waited to go in.
            guard let still = try InstanceFile.read(for: options.store.path) else { return nil }
            running = still
        }
        await tellOfRules(running)
        let before = try newest()
        return Ended(status: try await launch(try ProxyPlace(explicitOf: running)), before: before)
    }

    /// Says how many rules of the running proxy are on, and that rules which were named do not hold there where it has others.
    private func tellOfRules(_ running: InstanceFile) async {
        let own = options.ruling.paths.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        let isThrottled = options.ruling.throttle != nil
        if isThrottled || !own.isEmpty && own != running.rules ?? [] {
            let proxy = "the proxy that runs already (process \(running.pid))"
            let named = isThrottled ? "those that were named" : "those of --rules"
            Console.remark("inspect: \(proxy) keeps to its own rules; \(named) do not hold there")
        }
        // A proxy that does not tell of its rules does not keep the program from running.
        guard let list = try? await RunningRuleList(of: running).list(), !list.rules.isEmpty else { return }
        Console.remark("inspect: \(list.sentence)")
    }

    /// Has the program run through a proxy of its own, which ends when nobody else sends through it any more.
    private func run(
        _ instance: Instance,
        _ launch: @escaping @Sendable (ProxyPlace) async throws -> Int32?
    ) async throws -> Ended {
        let credentials = try options.listening.encodedCredentials()
        let result = Mutex<Ended?>(nil)
        let lock = Mutex<GuestLock?>(nil)
        try await instance.run { instance in
            guard let listener = instance.listeners.first(where: { $0.way == .explicit }) else {
                throw InputError("this sends traffic to an explicit listener; add --listen-mode explicit@0")
            }
            if let rules = instance.rulesSentence { Console.remark("inspect: \(rules)") }
            let place = ProxyPlace(host: listener.host, port: listener.port, credentials: credentials)
            let guests = try GuestLock(storePath: instance.storePath)
            // Until the store is closed.
            lock.withLock { $0 = guests }
            let before = try newest()
            var ended = Ended(status: try await launch(place), before: before)
            result.withLock { [ended] in $0 = ended }
            let end = EndRequest()
            try await guests.shut(unless: { end.isMade }) {
                Console.remark(
                    "inspect: other commands still send through this proxy, which ends after them; Ctrl-C ends it now"
                )
                ended.through = try? newest()
            }
            end.forget()
            result.withLock { [ended] in $0 = ended }
        }
        lock.withLock { $0 = nil }
        return result.withLock { $0 } ?? Ended(status: nil, before: 0)
    }

    private func finish(_ ended: Ended, into file: OutputFile?) throws -> Int32 {
        guard let status = ended.status else { return SpawnedCommand.notFound }
        do {
            for remark in try told(ended, into: file) { Console.remark("inspect: \(remark)") }
        } catch {
            // A failure of the command's own says more than that it could not be told.
            guard status != 0 else { throw error }
            Console.remark("inspect: \(CommandFailure.sentence(error))")
        }
        return status
    }

    /// The last exchange of the store; 0 where there is none yet.
    private func newest() throws -> ExchangeID {
        guard FileManager.default.fileExists(atPath: options.store.path) else { return 0 }
        return try options.store.openForReading().page(ListingQuery(filter: Filter(), limit: 1)).exchanges.first?.id
            ?? 0
    }

    /// Writes what came while a program ran to the file.
    ///
    /// - Parameters:
    ///   - ended: the program.
    ///   - file: the recording; `nil` where none is to be left.
    ///   - measure: what an import reads of an exchange.
    /// - Returns: what a person should know of it, a remark each.
    /// - Throws: `StoreError`, `FilterError`; `InputError` where it cannot be written.
    func told(_ ended: Ended, into file: OutputFile?, measure: EntryMeasure = EntryMeasure()) throws -> [String] {
        let first = ended.before + 1
        let range = first...max(try ended.through ?? newest(), first)
        let came = Filter(.test(.number(.id, [range])))
        let store = try options.store.openForReading()
        var selected = came
        if let query { selected.require(try Selector([query]).filter(in: store, now: Date(), mayCome: true)) }
        let ids = try store.ids(selected)
        let redactor = try redaction.redactor()
        var shortfall = Exporter.Shortfall()
        if let file {
            let exporter = Exporter(
                store: store,
                scope: .ended,
                creatorVersion: BuildVersion.text,
                redactor: redactor,
                remedyWords: \.command,
                refusalWords: RefusalRemedy.words,
                measure: measure
            )
            shortfall = try exporter.write(ids, as: .har) { try file.write($0) }
            try file.finish()
        }
        var broken = came
        broken.select(.exactly(Outcome.failed.rawValue), in: .outcome)
        let failed = try store.ids(broken)
        var line = "\(ids.count.counted("exchange")) recorded"
        if !failed.isEmpty { line += ", \(failed.count) failed" }
        if let har {
            line += ", written to \(VisibleText.line(har))"
            if redactor == nil { line += " with all secrets" + (redaction.noRedact ? "" : " (--share masks them)") }
        }
        if let first = ids.first, let last = ids.last {
            line += "; see: inspect ls \(first == last ? "id:\(first)" : "id:\(first)..\(last)")"
            line += options.storePlace
        } else {
            line +=
                "; if the command asked for something, it took neither its proxy nor its roots from its environment ('inspect ca' shows other ways)"
        }
        let masked = file == nil ? nil : redactor.map { RedactionOptions.remark($0.report) }
        return [line] + ExportCommand.remarks(shortfall, in: options.storePlace) + (masked.map { [$0] } ?? [])
    }
}
