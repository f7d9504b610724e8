import ArgumentParser
import Traffic

/// `inspect system-proxy on`: changes the settings.
struct SystemProxyOnCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Send this user's programs through the running proxy."
    )

    @Flag(name: .customLong("dry-run"), help: "Print the commands, and change nothing.")
    var isDry = false

    @Flag(
        name: .customLong("pac"),
        help: "Use the proxy's script, /proxy.pac, which knows --pac-include and --pac-exclude."
    )
    var isAutomatic = false

    @Option(
        help: ArgumentHelp("Change this place only: gnome, environment or macos; may be repeated.", valueName: "place")
    )
    var only: [SystemProxyKind] = []

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let instance = try InstanceFile.read(for: store.path)
        guard let proxy = try instance.map(Self.proxy) ?? (isDry ? Endpoint(host: "127.0.0.1", port: 9_090) : nil)
        else {
            throw InputError(
                "no proxy is running on \(store.path); start one with 'inspect start --system-proxy', or without and then this"
            )
        }
        let system = SystemProxy.current
        let plan = try SystemProxyPlan(
            proxy: proxy,
            isAutomatic: isAutomatic,
            kinds: only.isEmpty ? nil : only,
            tools: system.tools
        )
        let console = Console()
        if isDry {
            for step in plan.steps {
                for command in step.setting.commands(for: step.value) {
                    try console.line(command.map { ShellWord($0).description }.joined(separator: " "))
                }
            }
        } else if let instance {
            try system.on(plan, proxy: proxy, owner: ProcessMark(pid: instance.pid)) {
                try InstanceFile.read(for: store.path)?.pid == instance.pid
            }
            for note in plan.notes { try console.line(note) }
            try console.line("'inspect system-proxy off' puts it back, and so does the end of the proxy")
        }
        try console.flush()
    }

    /// Where this machine reaches the proxy of an instance.
    private static func proxy(_ instance: InstanceFile) throws -> Endpoint {
        let addresses = instance.listeners.filter { $0.mode == "explicit" }.map(\.address)
        guard let address = addresses.first, let endpoint = Endpoint(authority: address, defaultPort: nil) else {
            throw InputError("the running proxy has no explicit listener, which system settings need")
        }
        return endpoint.nearby
    }
}

extension Endpoint {
    /// The address by which this machine reaches a listener: loopback in place of all addresses.
    var nearby: Endpoint { ["0.0.0.0", "::"].contains(host) ? Endpoint(host: "127.0.0.1", port: port) : self }
}
