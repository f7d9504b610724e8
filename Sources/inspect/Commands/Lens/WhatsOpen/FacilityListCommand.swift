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

            Text without a key of the query language names one facility, by its slug or its name; so do numbers, a phrase and a group that are the \
            slug or the name of a captured facility as a whole. --why then shows the schedule in force and its reason, the interval, clock changes, the week, \
            warnings, what each client would say, and for how many minutes of the week it is wrong.

            Examples:
              inspect facilities --open-now --campus fairfax --search coffee
              inspect facilities --at 2026-09-19T01:30 --open-first --sort location
              inspect facilities --compare ios,web,server --week
              inspect facilities rivanna-kitchen --why --at 2026-11-01T01:30
            """
    )

    @OptionGroup(title: "Facilities") var options: FacilityOptions

    @Flag(help: "Take the words for the slug or the name of one facility, whatever they look like.")
    var one = false

    @Flag(help: "With a facility: explain why it is open or closed, and what each client would say.")
    var why = false

    @OptionGroup(title: "Moment") var moment: MomentOptions

    @Option(help: ArgumentHelp("Read this exchange instead of the newest list.", valueName: "id"))
    var fromCapture: ExchangeID?

    @OptionGroup var output: OutputOptions

    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    mutating func validate() throws {
        if one, words.isEmpty { throw ValidationError("--one needs the slug or the name of a facility") }
        if try isName() {
            guard !options.isListing else {
                throw ValidationError("options of the listing and one facility exclude each other; leave out either")
            }
        } else if why, words.isEmpty || options.isListing {
            throw FacilityListCommand.unnamed
        }
    }

    func run() async throws {
        let store = try store.openForReading()
        let now = Date()
        if let card = try card(in: store, now: now) {
            try Console().write(FacilityReport(board: card, isWhole: why), output)
        } else if why {
            throw FacilityListCommand.unnamed
        } else {
            let filter = try filter.filter(now: now, in: store)
            let asked = self.asked { options.add(to: &$0) }
            let board = try PlaceProblem.told { try FacilityQuestion(asked, filter, now: now).answer(store) }
            try Console().write(FacilitiesReport(board: board), output)
        }
    }

    private static var unnamed: ValidationError {
        ValidationError("--why goes with a facility, as in rivanna-kitchen --why")
    }

    /// The words as one text; empty for none.
    private var words: String { QueryArguments.query(filter.terms).trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Whether the words can only name a facility; numbers and a query (a key, a group, a phrase or a saved search) may select exchanges.
    private func isName() throws -> Bool {
        if one { return true }
        guard case .query = try filter.selector().text else { return false }
        return !words.isEmpty && !words.contains { ":@\"()".contains($0) }
    }

    /// Whether a word is a key of the query language with its value, or a saved search.
    private var hasKey: Bool {
        words.split { $0.isWhitespace || "()".contains($0) }.contains { word in
            let term = word.drop { $0 == "-" || $0 == "!" }
            let key = term.prefix { $0 != ":" && $0 != "\"" }
            let isSearch = term.first == "@" && term.count > 1
            let isTerm = term.dropFirst(key.count).first == ":" && term.count > key.count + 1
            return isSearch || isTerm && FilterKey.named(String(key)) != nil
        }
    }

    /// The facility that the words name; `nil` where they select exchanges.
    private func card(in store: TrafficStore, now: Date) throws -> FacilityCard? {
        guard !words.isEmpty, !options.isListing else { return nil }
        let isName = try isName()
        guard isName || !hasKey else { return nil }
        let flagged = try Selector([], flags: filter.flagged).filter(in: store, now: now)
        let asked = self.asked { $0.add("slug", words) }
        return try PlaceProblem.told { () throws -> FacilityCard? in
            do {
                return try FacilityCardQuestion(asked, flagged, now: now).answer(store)
            } catch let problem as PlaceProblem where !isName {
                switch problem {
                case .noFacility, .nothing, .notInNewest: return nil
                default: throw problem
                }
            }
        }
    }

    private func asked(_ add: (inout PlaceOptions) -> Void) -> PlaceOptions {
        var asked = PlaceOptions()
        add(&asked)
        moment.add(to: &asked)
        asked.add("from-capture", fromCapture.map { "\($0)" })
        return asked
    }
}
