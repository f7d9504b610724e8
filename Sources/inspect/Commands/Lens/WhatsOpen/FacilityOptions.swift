import ArgumentParser
import Lenses

/// Which facilities are listed, in which order, and whose answers stand beside them.
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
        if openNow, closed { throw ValidationError("--open-now and --closed exclude each other; give one of them") }
        if week, compare == nil { throw ValidationError("--week goes with --compare, as in --compare ios,web --week") }
        _ = try clients()
    }

    /// Whose answers are wanted, in the order given.
    ///
    /// - Throws: `ValidationError` naming what is no client.
    func clients() throws -> [HoursClient] {
        guard let compare else { return [] }
        if compare == "all" { return HoursClient.allCases }
        return try compare.split(separator: ",", omittingEmptySubsequences: false).map { name in
            guard let client = HoursClient(rawValue: name.lowercased()) else {
                throw ValidationError("--compare \(compare): expected a list of ios, android, web and server, or all")
            }
            return client
        }
    }

    /// What selects and sorts.
    var selection: FacilitySelection {
        var selection = FacilitySelection()
        selection.isOpen = openNow ? true : closed ? false : nil
        selection.isOpenToday = openToday
        selection.campuses = campus.listed
        selection.categories = category.listed
        selection.locations = location.listed
        selection.search = search ?? ""
        selection.order = sort
        selection.putsOpenFirst = openFirst
        return selection
    }
}

extension FacilitySelection.Order: ExpressibleByArgument {}

extension [String] {
    /// The parts of comma lists that say something.
    fileprivate var listed: [String] { flatMap { $0.split(separator: ",").map(String.init) } }
}
