import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// `inspect facilities`: what the newest captured facility list says is open.
struct FacilitiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facilities",
        abstract: "List captured What's Open facilities and their hours.",
        discussion: """
            It reads the newest facility list that any host answered, with newer answers about single facilities over it. A query and the filter \
            flags choose the exchanges. It works out the hours for the moment by itself, whatever the server or a client says.

            Examples:
              inspect facilities --open-now --campus fairfax --search coffee
              inspect facilities --at 2026-09-19T01:30 --open-first --sort location
              inspect facilities --compare ios,web,server --week
            """
    )

    @OptionGroup(title: "Facilities") var options: FacilityOptions
    @OptionGroup(title: "Moment") var moment: MomentOptions

    @Option(help: ArgumentHelp("Read this exchange instead of the newest list.", valueName: "id"))
    var fromCapture: ExchangeID?

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    func run() async throws {
        let store = try store.openForReading()
        try write(to: Console(), filter.filter(now: Date(), in: store), in: store)
    }
}

extension FacilitiesCommand: PlaceCommand {
    func write(to console: Console, _ filter: Filter, in store: TrafficStore) throws {
        let (now, clock) = try moment.moment(now: Date())
        let source = try WhatsOpenReader(store).facilities(filter, from: fromCapture)
        if let unknown = options.selection.unknownValue(in: source.elements) { throw InputError(unknown) }
        let clients = try options.clients()
        let rows = source.elements.map {
            FacilityRow($0, at: now, clock: clock, clients: clients, isWeekly: options.week)
        }
        let selected = options.selection.select(rows)
        let listing = FacilityListing(
            list: CampusListing(selected, of: source, at: now, clock: clock),
            newer: source.newer,
            newerIDs: source.newerIDs
        )
        if json {
            try console.write(listing.json)
        } else {
            for line in listing.lines(console) { try console.line(line) }
        }
        try console.flush()
    }
}
