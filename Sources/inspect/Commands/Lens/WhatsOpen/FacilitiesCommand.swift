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
        let now = Date()
        let filter = try filter.filter(now: now, in: store)
        let board = try PlaceProblem.told { try FacilityQuestion(asked, filter, now: now).answer(store) }
        let console = Console()
        if json {
            try console.write(board)
        } else {
            for line in board.lines(console) { try console.line(line) }
        }
        try console.flush()
    }

    private var asked: PlaceOptions {
        var asked = PlaceOptions()
        options.add(to: &asked)
        moment.add(to: &asked)
        asked.add("from-capture", fromCapture.map { "\($0)" })
        return asked
    }
}
