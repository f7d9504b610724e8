import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// `inspect alerts`: the messages to everybody on campus in captured traffic.
struct AlertsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alerts",
        abstract: "List captured campus alerts shown at a moment.",
        discussion: """
            Examples:
              inspect alerts
              inspect alerts --all --urgency major,emergency
            """
    )

    @Flag(help: "Also alerts that are past, or not shown yet.")
    var all = false

    @Option(help: ArgumentHelp("Only of these urgencies: info, minor, major, emergency.", valueName: "urgencies"))
    var urgency: [String] = []

    @OptionGroup(title: "Moment") var moment: MomentOptions

    @Option(help: ArgumentHelp("Read this exchange instead of the newest list.", valueName: "id"))
    var fromCapture: ExchangeID?

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    mutating func validate() throws {
        for name in wanted where !CampusAlert.urgencies.contains(name) {
            throw ValidationError("--urgency \(name): expected \(CampusAlert.urgencies.joined(separator: ", "))")
        }
    }

    func run() async throws {
        let store = try store.openForReading()
        try write(to: Console(), filter.filter(now: Date(), in: store), in: store)
    }

    private var wanted: [String] { urgency.flatMap { $0.split(separator: ",").map { $0.lowercased() } } }
}

extension AlertsCommand: PlaceCommand {
    func write(to console: Console, _ filter: Filter, in store: TrafficStore) throws {
        let (now, clock) = try moment.moment(now: Date())
        let source = try WhatsOpenReader(store).alerts(filter, from: fromCapture, wantsAll: all)
        let alerts = source.elements.filter { alert in
            (all || alert.isActive(at: now)) && (wanted.isEmpty || wanted.contains(alert.urgency.lowercased()))
        }
        let listing = AlertListing(list: CampusListing(alerts, of: source, at: now, clock: clock))
        if json {
            try console.write(listing.json)
        } else {
            for line in listing.lines(console) { try console.line(line) }
        }
        try console.flush()
    }
}
