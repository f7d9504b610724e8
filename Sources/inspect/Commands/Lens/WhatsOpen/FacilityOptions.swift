import ArgumentParser
import Foundation
import Lenses
import Traffic

/// Which facilities are listed, in which order, and which clients' answers stand beside them.
struct FacilityOptions: ParsableArguments {
    @Flag(help: "Only facilities that are open at that moment.")
    var openNow = false

    @Flag(help: "Only facilities that are closed at that moment.")
    var closed = false

    @Flag(help: "Only facilities that are open at some time of that day.")
    var openToday = false

    @Option(help: ArgumentHelp("Only facilities of this campus; a comma list means any of them.", valueName: "text"))
    var campus: [String] = []

    @Option(help: ArgumentHelp("Only facilities of this category.", valueName: "text"))
    var category: [String] = []

    @Option(help: ArgumentHelp("Only facilities in this building or at this address.", valueName: "text"))
    var location: [String] = []

    @Option(
        help: ArgumentHelp("Words in the name, building, abbreviation, category, tags or labels.", valueName: "words")
    )
    var search: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("name, -name or location.", valueName: "order"))
    var sort = FacilitySelection.Order.name

    @Flag(help: "Open ones first.")
    var openFirst = false

    @Option(
        help: ArgumentHelp(
            "Show what these clients would say, beside the truth: ios, android, web, server, or all.",
            valueName: "clients"
        )
    )
    var compare: String?

    @Flag(help: "With --compare: count the minutes of that week in which each is wrong, and name the bug.")
    var week = false

    mutating func validate() throws {
        var options = PlaceOptions()
        add(to: &options)
        _ = try PlaceProblem.told { try FacilityQuestion(options, Filter(), now: Date()) }
    }

    /// Whether an option is given that only a listing has.
    var isListing: Bool {
        openNow || closed || openToday || openFirst || week || sort != .name || search != nil || compare != nil
            || !(campus + category + location).isEmpty
    }

    /// Adds what was given.
    func add(to options: inout PlaceOptions) {
        options.add("open-now", openNow)
        options.add("closed", closed)
        options.add("open-today", openToday)
        options.add("campus", campus)
        options.add("category", category)
        options.add("location", location)
        options.add("search", search)
        options.add("sort", sort.rawValue)
        options.add("open-first", openFirst)
        options.add("compare", compare)
        options.add("week", week)
    }
}

extension FacilitySelection.Order: ExpressibleByArgument {}
