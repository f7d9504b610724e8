import ArgumentParser
import Proxy
import ServiceLifecycle
import Store
import UnixSignals

/// `inspect demo`: the whole product on one machine.
struct DemoCommand: AsyncParsableCommand, StartsProxy {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Show the whole product on this machine, by itself.",
        discussion: """
            It starts the facility API over HTTPS, the proxy and the page, sends the requests that four real apps make through the proxy, and prints \
            what was recorded and what it means. It keeps running so that you can look at the page; Ctrl-C stops it. It records into a store of its own, \
            beside a proxy that runs already, and takes only the certificates' directory from the configuration file, so that it shows the same \
            everywhere.
            """
    )

    static var ports: ListenOptions.DefaultPorts { .any }

    @Flag(help: "End after the traffic instead of serving on.")
    var once = false

    @OptionGroup var colours: ColourOptions
    @OptionGroup(title: "Listening") var listening: ListenOptions
    @OptionGroup(title: "Listening") var script: PACOptions
    @OptionGroup(title: "Upstreams") var upstreams: UpstreamOptions
    @OptionGroup(title: "Rules") var givenRules: RuleFileOptions
    @OptionGroup var serving: ServingOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Limits") var decoding: DecodingOptions
    @OptionGroup(title: "Keeping") var keeping: KeepOptions
    @OptionGroup(title: "Log") var logging: LogOptions
    @OptionGroup var givenStore: StoreOptions
    @OptionGroup var authority: CAOptions

    var store: StoreOptions { givenStore.withDefault(Places.current.demonstration) }
    var ruling: RuleFileOptions { givenRules.after(rule.path) }
    private var rule: DemoRule { DemoRule(besideStore: store.path) }

    func validate() throws {
        try validateTogether()
        if try !listening.modes(.any).contains(where: { $0.way == .explicit }) {
            throw ValidationError("demo sends its traffic to an explicit listener; add --listen-mode explicit@0")
        }
    }

    func run() async throws {
        // A demonstration that runs keeps its rule as it was changed; this one is told of it when it opens the store.
        if TrafficStore.writingProcess(at: store.path) == nil { try rule.write() }
        let demo = Demo(isOnce: once, colours: colours.choice, rule: rule)
        let service = DemoService(demo: demo, options: options)
        let configuration = ServiceGroupConfiguration(
            services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
            gracefulShutdownSignals: [.sigint, .sigterm],
            logger: .silent
        )
        try await ServiceGroup(configuration: configuration).run()
    }
}

/// Runs the demonstration, and ends with it.
private struct DemoService: Service {
    let demo: Demo
    let options: StartOptions

    func run() async throws {
        try await demo.run { roots, body in
            try await Instance(options: options, ports: .any, extraRootsPEM: roots).run(body)
        }
    }
}
