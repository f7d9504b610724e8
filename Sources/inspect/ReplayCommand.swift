import ArgumentParser
import Store
import Traffic

/// `inspect replay ID`: a recorded request once more, and what was different.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Send a recorded request again, byte for byte, through the running proxy.",
        discussion:
            "The new exchange is recorded and linked to the first. Printed is what differs in code, time and body."
    )

    @Argument(help: "The number of the exchange.")
    var id: ExchangeID

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let reading = try store.openForReading()
        let before = try ExchangeReader(reading).record(id)
        guard let instance = try InstanceFile.read(for: store.path) else {
            throw InputError(
                "no proxy is running on \(store.path); start one with 'inspect start' and the same --store"
            )
        }
        let newID = try await InstanceClient(instance).replay(id)
        let after = try ExchangeReader(reading).record(newID)
        let difference = try ReplayDifference(before, after, in: reading)
        let console = Console()
        if json { try console.line(difference.json) } else { for line in difference.lines { try console.line(line) } }
        try console.flush()
    }
}
