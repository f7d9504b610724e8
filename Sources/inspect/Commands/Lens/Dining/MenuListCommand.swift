import ArgumentParser
import Foundation
import Lenses
import Traffic

/// `inspect menus list`: the dining menus of captured CloudKit answers.
struct MenuListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List captured dining menus (also 'inspect menus' alone).",
        discussion: """
            For each day it shows the newest captured menu, whatever host it came from: halls with their hours, sections and food. Days and hours are \
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

    mutating func validate() throws { _ = try question(Filter(), now: Date()) }

    func run() async throws {
        let store = try source.store.openForReading()
        let now = Date()
        let filter = try source.filter(now: now, in: store)
        let board = try PlaceProblem.told { try question(filter, now: now).answer(store) }
        try Console().write(MenusReport(board: board), source.output)
    }

    private func question(_ filter: Filter, now: Date) throws -> MenuQuestion {
        try PlaceProblem.told(renamed: ["diet": "type"]) { try MenuQuestion(asked, filter, now: now) }
    }

    private var asked: PlaceOptions {
        var asked = PlaceOptions()
        source.add(to: &asked)
        asked.add("day", day)
        asked.add("meal", meal)
        asked.add("hall", hall)
        asked.add("diet", type?.rawValue)
        asked.add("search", search)
        asked.add("open-now", openNow)
        asked.add("favourite", favourite)
        return asked
    }
}

extension MenuSelection.Diet: ExpressibleByArgument {}
