import Foundation
import Lenses
import Logging
import Proxy
import Store
import Traffic
import Trust
import Web

/// The running whole: store, proxy and page, started in that order and stopped in reverse.
///
/// The one place where the parts meet.
struct Instance: Sendable {
    /// A limit of connections below this deserves a warning.
    private static let fewConnections = 1_000

    let options: StartOptions
    /// Which ports to take where the options name none.
    var ports = ListenOptions.DefaultPorts.known
    /// Roots to trust upstream beside those of the options, PEM.
    var extraRootsPEM: String?
    /// The log file's path for other processes; `nil` for none.
    var log: String?
    /// Whether the instance ends with the command that began it and the commands that share it.
    var isLent = false
    /// Where the log goes.
    var logger = LogOutput().logger("inspect")

    /// Runs everything while a closure runs.
    ///
    /// - Throws: what cannot be opened or listened on, each as one sentence, before anything is served; and what the closure throws.
    func run(_ body: @escaping @Sendable (RunningInstance) async throws -> Void) async throws {
        let started = Moment.microseconds(Date())
        let rules = try RunningRules(options.ruling.paths, after: options.ruling.own, logger: logger)
        let token = try options.serving.webToken()
        let root = try options.authority.openRoot()
        keepBundle(of: root)
        var configuration = try configuration(options, root)
        configuration.rules = rules.list
        let authority = try CertificateAuthority(root: root) { Date() }
        let store = try TrafficStore(
            path: options.store.path,
            access: .writing,
            bodyLimitBytes: configuration.bodyLimitBytes,
            classifier: LensSet.standard,
            judge: LensSet.standard,
            tell: { [logger] in GapNotice.log($0, to: logger) }
        )
        if let session = options.keeping.session {
            try store.beginSession(session, now: Moment.microseconds(Date()))
        }
        store.keep(options.keeping.policy) { Moment.microseconds(Date()) }
        configuration.ruleContents = RuleFileAnswers(store)
        let system = SystemProxy.current
        let warnings = system.restoreLeftover() + (try store.brokenImports().map(\.warning))
        let own = OwnListeners()
        let meter = CaptureMeter(store)
        let proxy = try ProxyServer(
            configuration: configuration,
            authority: authority,
            sink: meter,
            listeners: own,
            logger: logger
        )
        rules.follow { proxy.setRules($0) }
        let listeners = try await proxy.listen()
        let modes = listeners.map(\.mode)
        let place = (modes.first { $0.way == .explicit } ?? modes.first)?.place ?? ""
        let information = CurrentInformation(try self.information(options, root, place, modes))
        let page = PageService(
            token: token,
            port: options.serving.webPort(ports),
            decodedLimitBytes: configuration.decodedLimitBytes,
            store: store,
            control: proxy,
            rules: rules,
            information: information,
            measure: {
                InstanceMetrics(
                    meter: meter,
                    proxy: proxy,
                    store: store,
                    rules: rules,
                    started: Double(started) / 1_000_000
                ).all
            },
            logger: logger
        )
        var failure: (any Error)?
        do {
            try await page.run { webPort in
                own.add(port: webPort)
                var written = InstanceFile(
                    pid: getpid(),
                    proxy: place,
                    listeners: modes.map { InstanceFile.Listener(mode: $0.name, address: $0.place) },
                    page: "http://127.0.0.1:\(webPort)",
                    token: page.token,
                    storePath: store.path,
                    started: started,
                    drainSeconds: options.limits.drain,
                    log: log
                )
                written.login = try options.listening.encodedCredentials()
                written.certificates = options.authority.files.directory
                written.isLent = isLent
                written.rules = rules.files
                let file = written
                try file.write()
                // After it is told that this ends: who leads programs here looks whether it does, and takes that back.
                defer {
                    if let problem = system.release() { Console.remark("inspect: \(problem)") }
                }
                defer { file.tellStopping() }
                try takeSystemProxy(modes, system)
                var running = RunningInstance(
                    listeners: modes,
                    pageURL: "http://127.0.0.1:\(webPort)/?token=\(page.token)",
                    rootPEM: root.pem,
                    storePath: store.path,
                    warnings: warnings,
                    beat: { try await proxy.beat() },
                    reload: { next in
                        let root = try await reload(next, modes, proxy: proxy, store: store)
                        rules.read(next.ruling.paths, after: next.ruling.own)
                        information.become(try self.information(next, root, place, modes))
                        tell(file, login: try next.listening.encodedCredentials(), rules: rules.files)
                    }
                )
                (running.onRuleCount, running.ruleCount) = rules.counts
                let instance = running
                try await rules.watched { try await body(instance) }
            }
        } catch { failure = error }
        do {
            let cut = try await proxy.shutdown(listeners)
            if cut > 0 {
                logger.warning(
                    "exchanges were still open when the time to drain was over, and were broken off",
                    metadata: ["count": "\(cut)", "seconds": "\(options.limits.drain)"]
                )
            }
        } catch { keep(error, of: "the proxy was not shut down as it should be", &failure) }
        do {
            // Before another process can write the store, and a file of its own beside it.
            try store.close { InstanceFile.remove(for: store.path) }
        } catch { keep(error, of: "the store was not closed as it should be", &failure) }
        if let failure { throw failure }
    }

    /// Ends the run with an error; a run that has failed already keeps its first error, and this one goes to the log.
    private func keep(_ error: any Error, of words: Logger.Message, _ failure: inout (any Error)?) {
        guard failure != nil else { return failure = error }
        logger.error(words, metadata: ["why": "\(error.told)"])
    }

    /// Sends this user's programs here where `--system-proxy` is given.
    private func takeSystemProxy(_ modes: [ListenMode], _ system: SystemProxy) throws {
        guard options.serving.isSystemProxy else { return }
        guard let explicit = modes.first(where: { $0.way == .explicit }) else {
            throw InputError("--system-proxy needs an explicit listener; add --listen-mode explicit@9090")
        }
        let proxy = Endpoint(host: explicit.host, port: explicit.port).nearby
        let isAutomatic = try !options.script.script().isEverything
        let plan = try SystemProxyPlan(proxy: proxy, isAutomatic: isAutomatic, kinds: nil, tools: system.tools)
        try system.on(plan, proxy: proxy, owner: .own)
    }

    /// Writes the file that the page tells clients to read; a proxy runs without it too.
    private func keepBundle(of root: RootCertificate) {
        do {
            let environment = ProcessInfo.processInfo.environment
            try ClientTrust.keepBundle(of: root, in: options.authority.files, environment: environment)
        } catch {
            logger.warning(
                "the file of this machine's roots and ours, which the page's Set up names, cannot be written: \(CommandFailure.sentence(error))"
            )
        }
    }

    /// The facts that the page shows about this proxy.
    private func information(
        _ options: StartOptions,
        _ root: RootCertificate,
        _ place: String,
        _ modes: [ListenMode]
    ) throws -> InstanceInformation {
        var information = InstanceInformation(
            version: BuildVersion.text,
            proxy: place,
            caFile: self.options.authority.files.certificatePath,
            caFingerprint: root.fingerprint
        )
        information.caBundleFile = self.options.authority.files.bundlePath
        information.clients = InstanceInformation.everyClient
        information.caSystemFile = root.systemFileName
        information.caPEM = root.pem
        information.storePath = self.options.store.named.map { URL(filePath: $0).path }
        information.ways = modes.map { InstanceInformation.Way(mode: $0.name, host: $0.host, port: $0.port) }
        information.addresses = OwnAddresses.all
        information.asksLogin = try options.listening.credentials() != nil
        return information
    }

    /// Tells the other commands which login clients need from now on, and where the rules are.
    private func tell(_ file: InstanceFile, login: String?, rules: [String]) {
        var file = file
        file.login = login
        file.rules = rules
        do { try file.write() } catch {
            logger.warning(
                "the commands beside this proxy are not told of its login and its rules as they are now: \(CommandFailure.sentence(error))"
            )
        }
    }

    /// Applies other options to a running proxy, as far as it can follow them.
    ///
    /// - Parameters:
    ///   - options: the options that hold from now on.
    ///   - modes: the bound ways in, which stay: the options may name others, for the next start.
    ///   - proxy: the running proxy.
    ///   - store: the store that it records into.
    /// - Returns: the root that the proxy has now.
    /// - Throws: the error of an option that cannot be used, or would leave a way in unguarded; then nothing has changed.
    private func reload(
        _ options: StartOptions,
        _ modes: [ListenMode],
        proxy: ProxyServer,
        store: TrafficStore
    ) async throws -> RootCertificate {
        try options.listening.checkGuards(of: modes)
        // The root may have been replaced in its directory.
        let root = try self.options.authority.openRoot()
        keepBundle(of: root)
        let configuration = try configuration(options, root)
        let authority = try CertificateAuthority(root: root) { Date() }
        try await proxy.reload(configuration, authority: authority)
        store.keep(options.keeping.policy) { Moment.microseconds(Date()) }
        return root
    }

    /// The proxy's configuration by these options, with the pages that it answers itself.
    private func configuration(_ options: StartOptions, _ root: RootCertificate) throws -> ProxyConfiguration {
        var configuration = try fitted(options.configuration(ports: ports, extraRootsPEM: extraRootsPEM))
        let pages = DevicePages(root: root, script: try options.script.script())
        configuration.localPages = pages.pages(names: OwnAddresses.names)
        return configuration
    }

    /// Lowers the limits of connections to what this process may have open, and logs that for clients: past it, accepting would fail, and the store.
    private func fitted(_ configuration: ProxyConfiguration) throws -> ProxyConfiguration {
        var configuration = configuration
        guard let fileCount = DescriptorLimit.raise() else { return configuration }
        let (asked, most) = (configuration.connectionLimitCount, DescriptorLimit.connectionCount(within: fileCount))
        let upstreams = DescriptorLimit.upstreamCount(within: fileCount, beside: min(asked, most))
        configuration.upstreamLimitCount = min(configuration.upstreamLimitCount, upstreams)
        guard asked > most else { return configuration }
        configuration.connectionLimitCount = most
        // Nobody asked for the default, and nobody misses a few of so many.
        guard asked != ProxyConfiguration().connectionLimitCount || most < Instance.fewConnections else {
            return configuration
        }
        logger.warning(
            "this process may have \(fileCount) files open, so \(most) client connections and not \(asked) (--connection-limit), and \(upstreams) to upstreams; raise the hard limit (ulimit -Hn) for more"
        )
        return configuration
    }
}
