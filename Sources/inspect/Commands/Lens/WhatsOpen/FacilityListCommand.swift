import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// `inspect facilities list`: what the newest captured facility list says is open, or one facility of it and why.
struct FacilityListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List captured facilities, or show one (also 'inspect facilities' alone).",
        discussion: """
            It reads the newest facility list that any host answered, and newer answers about single facilities. A query and the filter flags \
            choose the exchanges. It works out the hours for the moment by itself, whatever the server or a client says.

            Text without a key of the query language names one facility, by its slug or its name. --why then shows the schedule in force and its \
            reason, the interval, clock changes, the week, warnings, what each client would say, and for how many minutes of the week it is wrong.

            Examples:
              inspect facilities --open-now --campus fairfax --search coffee
              inspect facilities --at 2026-09-19T01:30 --open-first --sort location
              inspect facilities --compare ios,web,server --week
              inspect facilities rivanna-kitchen --why --at 2026-11-01T01:30
            """
    )

    @OptionGroup(title: "Facilities") var options: FacilityOptions

    @Flag(help: "With a facility: explain why it is open or closed, and what each client would say.")
    var why = false

    @OptionGroup(title: "Moment") var moment: MomentOptions

    @Option(help: ArgumentHelp("Read this exchange instead of the newest list.", valueName: "id"))
    var fromCapture: ExchangeID?

    @OptionGroup var output: OutputOptions

    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    mutating func validate() throws {
        if try facility() == nil {
            if why { throw ValidationError("--why goes with a facility, as in rivanna-kitchen --why") }
        } else if options.isListing {
            throw ValidationError("options of the listing and one facility exclude each other; leave out either")
        }
    }

    func run() async throws {
        let store = try store.openForReading()
        let now = Date()
        if let facility = try facility() {
            let filter = try Selector([], flags: filter.flagged).filter(in: store, now: now)
            let asked = self.asked { $0.add("slug", facility) }
            let card = try PlaceProblem.told { try FacilityCardQuestion(asked, filter, now: now).answer(store) }
            try Console().write(FacilityReport(board: card, isWhole: why), output)
        } else {
            let filter = try filter.filter(now: now, in: store)
            let asked = self.asked { options.add(to: &$0) }
            let board = try PlaceProblem.told { try FacilityQuestion(asked, filter, now: now).answer(store) }
            try Console().write(FacilitiesReport(board: board), output)
        }
    }

    /// The facility that is named; `nil` for numbers and for a query, which has a key, a group, a phrase or a saved search.
    private func facility() throws -> String? {
        guard case .query(let text) = try filter.selector().text, text.contains(where: { !$0.isWhitespace }),
            !text.contains(where: { ":@\"()".contains($0) })
        else { return nil }
        return text
    }

    private func asked(_ add: (inout PlaceOptions) -> Void) -> PlaceOptions {
        var asked = PlaceOptions()
        add(&asked)
        moment.add(to: &asked)
        asked.add("from-capture", fromCapture.map { "\($0)" })
        return asked
    }
}
