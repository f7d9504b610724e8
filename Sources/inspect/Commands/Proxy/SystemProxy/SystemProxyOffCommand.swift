import ArgumentParser
import Traffic

/// `inspect system-proxy off`: puts the settings back.
struct SystemProxyOffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: "Put the system's proxy settings back as they were."
    )

    @Flag(name: .customLong("dry-run"), help: "Print the commands, and change nothing.")
    var isDry = false

    func run() async throws {
        let system = SystemProxy.current
        let console = Console()
        guard let record = try SystemProxyRecord.read(at: system.path) else {
            try console.line("inspect has set nothing")
            return try console.flush()
        }
        if isDry {
            for change in record.changes.reversed() where change.before != change.after {
                for command in change.setting.commands(for: change.before) {
                    try console.line(command.map { ShellWord($0).description }.joined(separator: " "))
                }
            }
        } else {
            for note in try system.off() { try console.line(note) }
        }
        try console.flush()
    }
}
