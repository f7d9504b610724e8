import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// The options that select datasets.
struct DatasetOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp("Which exchanges to read: numbers, or a query such as 'since:10m'.", valueName: "selector")
    )
    var terms: [String] = []

    @Option(help: ArgumentHelp("Only datasets with this tag.", valueName: "tag"))
    var tag: [String] = []

    @Option(help: ArgumentHelp("Only datasets of this topic.", valueName: "topic"))
    var topic: [String] = []

    @Option(help: ArgumentHelp("Only datasets in this format.", valueName: "format"))
    var format: [String] = []

    @Option(help: ArgumentHelp("Only datasets of this division, the publisher.", valueName: "division"))
    var division: [String] = []

    @Option(help: ArgumentHelp("Only datasets of this type: Map, Table, Document …", valueName: "type"))
    var type: [String] = []

    @Option(help: ArgumentHelp("Only datasets with this refresh rate.", valueName: "rate"))
    var refresh: [String] = []

    @Option(help: ArgumentHelp("Only datasets for this civic issue.", valueName: "issue"))
    var issue: [String] = []

    @Option(help: ArgumentHelp("Only datasets with all these words in title, name, notes or tags.", valueName: "text"))
    var search: [String] = []

    @Flag(help: "Only datasets whose content is older than their refresh rate promises.")
    var stale = false

    @Flag(help: "Only datasets that are retired.")
    var retired = false

    @Flag(help: "Only datasets that the app opened: their page, or their history.")
    var opened = false

    @Option(help: ArgumentHelp("Save this dataset from now on, by its title, as the app does.", valueName: "name"))
    var save: [String] = []

    @Option(help: ArgumentHelp("Forget that this dataset is saved.", valueName: "name"))
    var remove: [String] = []

    @Flag(help: "Only datasets that are saved.")
    var saved = false

    @Option(help: ArgumentHelp("List these datasets as --saved would, and keep nothing.", valueName: "name"))
    var favourite: [String] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "title, name, division, modified or refreshed; - before it reverses the order.",
            valueName: "order"
        )
    )
    var sort = "-modified"

    mutating func validate() throws {
        if !favourite.isEmpty, saved || !save.isEmpty || !remove.isEmpty {
            throw ValidationError("--favourite stands for what is saved; leave out --saved, --save and --remove")
        }
    }

    /// Selects the exchanges to read; every one where nothing is named.
    ///
    /// - Throws: `FilterError` for a query that cannot be read, `InputError` for a number of no exchange.
    func filter(now: Date, in store: TrafficStore) throws -> Filter {
        try Selector(terms).filter(in: store, now: now)
    }

    /// Adds what was given.
    func add(to options: inout PlaceOptions) {
        options.add("label", tag)
        options.add("topic", topic)
        options.add("format", format)
        options.add("division", division)
        options.add("kind", type)
        options.add("refresh", refresh)
        options.add("issue", issue)
        options.add("search", search)
        options.add("stale", stale)
        options.add("retired", retired)
        options.add("opened", opened)
        options.add("saved", saved || !favourite.isEmpty)
        options.add("sort", sort)
    }

    /// Keeps what `--save` and `--remove` name, and gives the titles of the saved datasets.
    ///
    /// - Parameters:
    ///   - catalogue: the datasets that names stand for.
    ///   - storePath: the store that the marks are beside.
    /// - Returns: the titles.
    /// - Throws: `PlaceProblem` for a name that stands for none, `InputError` when the marks cannot be read or written.
    func titles(of catalogue: DatasetCatalogue, beside storePath: String) throws -> Set<String> {
        if !favourite.isEmpty { return try catalogue.titles(named: favourite) }
        let kept = try KeptMarks.read(for: storePath).favourites
        guard !save.isEmpty || !remove.isEmpty else { return kept }
        let added = try catalogue.titles(named: save)
        let removed = try catalogue.titles(named: remove, among: kept)
        return try KeptMarks.change(for: storePath) { marks in
            marks.favourites.formUnion(added)
            marks.favourites.subtract(removed)
        }.favourites
    }
}
