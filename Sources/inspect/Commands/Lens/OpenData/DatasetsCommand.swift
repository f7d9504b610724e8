import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// `inspect datasets`: what captures show of the open-data portal.
struct DatasetsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "datasets",
        abstract: "List captured open-data datasets, each at its newest.",
        discussion: """
            Without a query it reads all exchanges with Toronto's portal. Values are whole values, ignoring case; * stands for anything. An option \
            given twice means either. Content is stale or fresh at the moment at which the portal answered. A file beside the store keeps the titles \
            of saved datasets (★), as the app keeps them on the device.

            Examples:
              inspect datasets --format CSV --division 'parks*' --stale
              inspect datasets --dataset cycling-network
              inspect datasets --save cycling-network --saved
              inspect datasets --facet topics
              inspect datasets --scroll 'since:10m'
              inspect datasets --json | jq '.datasets[] | select(.content == "stale") | .name'
            """
    )

    @OptionGroup var selection: DatasetOptions

    @Option(help: ArgumentHelp("Show one dataset whole, by name, id or title.", valueName: "name"))
    var dataset: String?

    @Option(
        help: ArgumentHelp(
            "Count the values of a facet: topics, formats, civic_issues, tags, division, refresh, type, licence.",
            valueName: "facet"
        )
    )
    var facet: String?

    @Flag(help: "Join the pages of endless lists, and name their gaps and overlaps.")
    var scroll = false

    @Flag(help: "Count the pins of each map, and the rows that get none.")
    var map = false

    @Flag(help: "List the city's public notices.")
    var notices = false

    @Option(help: ArgumentHelp("Read this exchange only.", valueName: "id"))
    var fromCapture: ExchangeID?

    @OptionGroup var output: OutputOptions

    @OptionGroup var store: StoreOptions

    mutating func validate() throws { _ = try question(Filter()) }

    func run() async throws {
        let store = try store.openForReading()
        let question = try question(selection.filter(now: Date(), in: store))
        let board = try DatasetsCommand.told {
            try question.answer(store) { try selection.titles(of: $0, beside: store.path) }
        }
        try Console().write(DatasetsReport(board: board), output)
    }

    private func question(_ filter: Filter) throws -> DatasetQuestion {
        var asked = PlaceOptions()
        selection.add(to: &asked)
        asked.add("dataset", dataset)
        asked.add("facet", facet)
        asked.add("scroll", scroll)
        asked.add("map", map)
        asked.add("notices", notices)
        asked.add("from-capture", fromCapture.map { "\($0)" })
        return try DatasetsCommand.told { try DatasetQuestion(asked, filter) }
    }

    /// Runs a closure, and names the place's options in its error as the command line does.
    private static func told<Value>(_ body: () throws -> Value) throws -> Value {
        try PlaceProblem.told(renamed: ["kind": "type", "label": "tag"], body)
    }
}
