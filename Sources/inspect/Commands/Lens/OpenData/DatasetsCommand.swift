import ArgumentParser
import Foundation
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

    @Flag(help: "Put the pages of endless lists together, and name their gaps and overlaps.")
    var scroll = false

    @Flag(help: "Count the pins of each map, and the rows that get none.")
    var map = false

    @Flag(help: "List the city's public notices.")
    var notices = false

    @Option(help: ArgumentHelp("Read this exchange only.", valueName: "id"))
    var fromCapture: ExchangeID?

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var store: StoreOptions

    mutating func validate() throws { _ = try view() }

    func run() async throws {
        let store = try store.openForReading()
        try write(to: Console(), selection.filter(now: Date(), in: store), in: store)
    }

    /// What is asked for; two things at once are refused.
    private func view() throws -> DatasetsView {
        var views: [DatasetsView] = []
        if let dataset { views.append(.card(dataset)) }
        if let facet { views.append(.facet(try DatasetOptions.facet(facet))) }
        if scroll { views.append(.scroll) }
        if map { views.append(.map) }
        if notices { views.append(.notices) }
        guard views.count <= 1 else {
            throw ValidationError(
                "--dataset, --facet, --scroll, --map and --notices exclude each other; give one of them"
            )
        }
        return views.first ?? .listing
    }
}

extension DatasetsCommand: PlaceCommand {
    func write(to console: Console, _ filter: Filter, in store: TrafficStore) throws {
        let reader = OpenDataReader(store)
        var catalogue = try fromCapture.map { try reader.catalogue(of: $0) } ?? reader.catalogue(of: filter)
        catalogue.saved = try selection.titles(of: catalogue, beside: store.path)
        try DatasetsPrinter(catalogue, selection: selection.selection(), console: console, isJSON: json).print(view())
    }
}
