import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// Which captures the menus are read from, and which time stands for now.
struct MenuSourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The time in place of now: 2026-11-20T18:30 on campus, or 10m ago.",
            valueName: "time"
        )
    )
    var at: String?

    @Option(help: ArgumentHelp("Read this exchange alone.", valueName: "id"))
    var fromCapture: ExchangeID?

    @OptionGroup var output: OutputOptions

    @OptionGroup var store: StoreOptions

    @Argument(help: ArgumentHelp("Which exchanges to read, as in every listing.", valueName: "selector"))
    var terms: [String] = []

    func validate() throws {
        if fromCapture != nil, !terms.isEmpty {
            throw ValidationError("--from-capture and a query exclude each other; give one of them")
        }
        var options = PlaceOptions()
        add(to: &options)
        _ = try PlaceProblem.told { try MomentQuestion(options, usual: CampusTime.zone.identifier, now: Date()) }
    }

    /// Adds what was given.
    func add(to options: inout PlaceOptions) {
        options.add("at", at)
        options.add("from-capture", fromCapture.map { "\($0)" })
    }

    /// Selects the captures.
    ///
    /// - Throws: `FilterError` for a query that cannot be read, `InputError` for a number of no exchange.
    func filter(now: Date, in store: TrafficStore) throws -> Filter {
        try Selector(terms).filter(in: store, now: now)
    }
}
