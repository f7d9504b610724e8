import ArgumentParser
import Traffic

/// `inspect pass-through`: stops decrypting hosts in the running proxy, or lists the hosts that are not decrypted.
struct PassThroughCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pass-through",
        abstract: "Stop decrypting these hosts in the running proxy.",
        discussion: """
            Some apps accept no certificate but their own host's. New connections to these hosts pass unread and are recorded as tunnels, until the \
            proxy stops or --remove takes the hosts off the list. 'inspect start --pass-through HOST' does the same from the start. Without a host \
            the command prints the list.

            Examples:
              inspect pass-through api.bank.example
              inspect pass-through '*.bank.example' --remove
            """
    )

    @Argument(help: "Names, addresses or patterns with *, without ports.")
    var hosts: [String] = []

    @Flag(help: "Decrypt these hosts again.")
    var remove = false

    @Flag(help: "Print the list, as without a host.")
    var list = false

    @OptionGroup var output: OutputOptions
    @OptionGroup var store: StoreOptions

    mutating func validate() throws {
        if remove, hosts.isEmpty { throw ValidationError("--remove needs a host; 'inspect pass-through' lists them") }
        if list, !hosts.isEmpty { throw ValidationError("--list takes no host") }
    }

    func run() async throws {
        let running = try RunningPassThrough(store)
        var passed = try await running.hosts()
        for host in hosts {
            if remove { try await running.remove(host) } else { passed = try await running.add(host) }
        }
        if remove { passed = try await running.hosts() }
        if output.json || hosts.isEmpty {
            return try Console().write(PassThroughReport(hosts: passed), output)
        }
        let names = hosts.map(VisibleText.line).joined(separator: ", ")
        let console = Console()
        try console.line(
            remove
                ? "\(names): read again, by connections that are made from now on"
                : "\(names): passed through unread from now on, until the proxy stops; undo with 'inspect pass-through \(hosts.map { ShellWord($0).description }.joined(separator: " ")) --remove'"
        )
        try console.flush()
    }
}
