import Hummingbird
import HummingbirdCore
import Lenses
package import Logging
import ServiceLifecycle
package import Store
package import Traffic

/// The page and its API on a port of their own, behind a token.
package struct WebServer: Service {
    private let configuration: WebConfiguration
    private let store: StoreDoor
    private let control: (any ProxyControl)?
    private let rules: (any RuleControl)?
    private let information: CurrentInformation
    private let places: PlaceAnswers
    private let bench: RuleBench?
    private let measure: (@Sendable () async -> [Metric])?
    private let logger: Logger
    /// What changed lately, for every live connection.
    private let log: ChangeLog
    private let visitors: VisitorLimit
    private let document = PageDocument()
    private let passes: EntryPasses

    /// - Parameters:
    ///   - configuration: where to listen and with which secret; the secret has at least 32 characters.
    ///   - store: the store that is shown; it outlives the server.
    ///   - control: the running proxy, for replay; `nil` when the store is only read.
    ///   - rules: the rules of the running proxy; `nil` when the store is only read.
    ///   - information: what the page says about the running proxy.
    ///   - places: the answers of the places beside the list.
    ///   - bench: makes and tries rules that do not hold; `nil` where none can be.
    ///   - measure: the measurements of `/metrics`; `nil` where that address is not served.
    ///   - logger: the log for faults of our own.
    package init(
        configuration: WebConfiguration,
        store: TrafficStore,
        control: (any ProxyControl)?,
        rules: (any RuleControl)? = nil,
        information: CurrentInformation,
        places: PlaceAnswers = PlaceAnswers(),
        bench: RuleBench? = nil,
        measure: (@Sendable () async -> [Metric])? = nil,
        logger: Logger
    ) {
        precondition(configuration.token.utf8.count >= 32, "The page's token has at least 128 bits in hexadecimal")
        self.configuration = configuration
        self.store = StoreDoor(store, clock: configuration.clock)
        self.control = control
        self.rules = rules
        self.information = information
        self.places = places
        self.bench = bench
        self.measure = measure
        self.logger = logger
        passes = EntryPasses(clock: configuration.clock)
        log = ChangeLog(store)
        visitors = VisitorLimit(configuration.visitorLimit)
    }

    /// Serves until it is cancelled or asked to shut down gracefully.
    ///
    /// - Throws: the system's error when the address cannot be bound.
    package func run() async throws { try await run { _ in } }

    /// Serves until it is cancelled or asked to shut down gracefully, and says when it can be reached.
    ///
    /// - Parameter onReady: called once with the bound port, before the first request is served.
    /// - Throws: the system's error when the address cannot be bound.
    package func run(onReady: @escaping @Sendable (_ port: Int) async -> Void) async throws {
        let bindPort = configuration.port
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        // A connection that ends before its time is an error to the server underneath, and no fault; faults of our own are told by SafeAnswers.
        var silent = logger
        silent.logLevel = .critical
        let application = Application(
            responder: routes().buildResponder(),
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [visitors.door, RequestQueue()],
                    idleTimeout: .nanoseconds(Int64(configuration.idleTimeout / .nanoseconds(1))),
                    // A query has up to 10,000 characters of several bytes, and a byte may take three in an address.
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: 512 << 10,
                        maxHeaderListSize: 512 << 10,
                        maxHeaderFieldCount: 100
                    )
                )
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: bindPort),
                availableConnectionsDelegate: MaximumAvailableConnections(configuration.connectionLimit, logger: quiet)
            ),
            onServerRunning: { channel in await onReady(channel.localAddress?.port ?? bindPort) },
            logger: silent
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [log] in await log.run() }
            defer { group.cancelAll() }
            try await application.run()
        }
    }

    /// Every address of the server, each behind the same two guards.
    func routes() -> Router<WebContext> {
        let bare = Router(context: WebContext.self)
        addRoutes(to: bare)
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SafeAnswers(known: KnownPaths(bare), logger: logger))
        let guardian = RequestGuard(
            configuration: configuration,
            passes: passes,
            visitors: visitors,
            document: document
        )
        router.add(middleware: guardian)
        router.add(middleware: CodedAnswers())
        router.add(middleware: UnchangedAnswers())
        addRoutes(to: router)
        return router
    }

    /// The addresses without the guards.
    private func addRoutes(to router: Router<WebContext>) {
        PageRoutes(document: document).add(to: router)
        ListingRoutes(store: store, progressInterval: configuration.progressInterval).add(to: router)
        SearchRoutes(store: store).add(to: router)
        OverviewRoutes(store: store).add(to: router)
        CompletionRoutes(store: store).add(to: router)
        FilterRoutes(store: store).add(to: router)
        CertificateRoutes(information: information).add(to: router)
        ExchangeRoutes(
            store: store,
            remedyWords: configuration.remedyWords,
            refusalWords: configuration.refusalWords
        ).add(to: router)
        DecodedRoutes(store: store, lenses: .standard, decodedLimitBytes: configuration.decodedLimitBytes).add(
            to: router
        )
        BodyRoutes(
            store: store,
            decodedLimitBytes: configuration.decodedLimitBytes,
            streamedLimitBytes: max(configuration.decodedLimitBytes, configuration.streamedLimitBytes)
        ).add(to: router)
        ConnectionRoutes(store: store, read: configuration.readCertificate).add(to: router)
        ReplayedRoutes(store: store).add(to: router)
        PassThroughRoutes(control: control).add(to: router)
        RuleRoutes(rules: rules, clock: store.clock).add(to: router)
        RuleBenchRoutes(store: store, bench: bench, rules: rules, time: configuration.trialTime).add(to: router)
        PassRoutes(passes: passes).add(to: router)
        CopyRoutes(store: store, version: information.now.version).add(to: router)
        MessageRoutes(store: store).add(to: router)
        ReplayRoutes(store: store, control: control).add(to: router)
        PlaceRoutes(store: store, answers: places).add(to: router)
        EditRoutes(store: store).add(to: router)
        SavedSearchRoutes(store: store).add(to: router)
        StoreRoutes(store: store).add(to: router)
        if control != nil {
            ImportRoutes(store: store, limitBytes: configuration.importLimitBytes).add(to: router)
        }
        InstanceRoutes(store: store, information: information, isRunning: control != nil).add(to: router)
        EventRoutes(store: store, log: log, window: configuration.eventWindow, heartbeat: configuration.heartbeat)
            .add(to: router)
        ExportRoutes(
            store: store,
            creatorVersion: information.now.version,
            remedyWords: configuration.remedyWords,
            refusalWords: configuration.refusalWords
        ).add(to: router)
        AnalysisRoutes(store: store, rules: rules, progressInterval: configuration.progressInterval).add(to: router)
        DiffRoutes(store: store).add(to: router)
        RecordingRoutes(store: store, isRunning: control != nil).add(to: router)
        if let measure { MetricRoutes(measure: measure).add(to: router) }
    }
}
