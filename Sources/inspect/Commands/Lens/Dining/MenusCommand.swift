import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// `inspect menus`: the dining menus of captured CloudKit answers.
struct MenusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "menus",
        abstract: "Show captured dining menus by day, meal and hall.",
        discussion: """
            For each day it shows the newest captured menu, whatever host it came from: hall with its hours, section and food. Days and hours are \
            those of the campus (America/Los_Angeles). Quick service is shown for today, as in the app.

            Examples:
              inspect menus --day today --meal dinner --type vegan
              inspect menus --open-now --at 2026-11-20T18:30
              inspect menus --day all --search taco --favourite 059140
            """
    )

    @Option(help: ArgumentHelp("Which day: \(DayName.expectation), or all.", valueName: "day"))
    var day: String?

    @Option(help: ArgumentHelp("Only meals with this in their name.", valueName: "text"))
    var meal: String?

    @Option(help: ArgumentHelp("Only halls with this in their name.", valueName: "text"))
    var hall: String?

    @Option(help: ArgumentHelp("Only food that is vegan, or vegetarian (vegan food too).", valueName: "type"))
    var type: MenuSelection.Diet?

    @Option(help: ArgumentHelp("Only food with this in its name, ingredients or section.", valueName: "text"))
    var search: String?

    @Flag(help: "Only halls that are open.")
    var openNow = false

    @Option(
        help: ArgumentHelp("Mark these recipes, and say where they are served (repeatable).", valueName: "recipe")
    )
    var favourite: [String] = []

    @OptionGroup var source: MenuSourceOptions

    func validate() throws { _ = try selection() }

    func run() async throws {
        let store = try source.store.openForReading()
        try write(to: Console(), source.filter(now: Date(), in: store), in: store)
    }

    /// Whether every day is wanted: of a single exchange, unless something else is said.
    private var isAll: Bool { day.map { $0.lowercased() == "all" } ?? (source.fromCapture != nil && !openNow) }

    private func selection() throws -> MenuSelection {
        var selection = MenuSelection(moment: try source.moment())
        if let day, !isAll { selection.days = [try DayName.day(day, today: selection.today)] }
        (selection.meal, selection.hall, selection.diet) = (meal, hall, type)
        (selection.search, selection.isOpen) = (search, openNow)
        return selection
    }
}

extension MenusCommand: PlaceCommand {
    func write(to console: Console, _ filter: Filter, in store: TrafficStore) throws {
        let (book, isWhole) = try source.book(filter, in: store)
        var selection = try selection()
        if let unknown = selection.unknownValue(in: book) { throw InputError(unknown) }
        if isAll {
            let today = book.quick == nil ? [] : [selection.today]
            selection.days = Array(Set(book.days.keys).union(today))
        }
        let favourites = favourite.flatMap { $0.split(separator: ",").map(String.init) }
        let printer = MenuPrinter(book, selection, favourites: Set(favourites), isWhole: isWhole)
        try source.print(to: console, json: printer.json) { printer.lines(style: $0) }
    }
}

extension MenuSelection.Diet: ExpressibleByArgument {}
