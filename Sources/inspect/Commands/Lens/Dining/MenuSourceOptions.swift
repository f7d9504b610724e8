import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// Which captures menus are read from, and what time it is taken to be.
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

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var store: StoreOptions

    @Argument(help: ArgumentHelp("Which exchanges to read, as in every listing.", valueName: "selector"))
    var terms: [String] = []

    func validate() throws {
        if let fromCapture, fromCapture < 1 {
            throw ValidationError("--from-capture \(fromCapture): expected the number of an exchange, 1 or more")
        }
        if fromCapture != nil, !terms.isEmpty {
            throw ValidationError("--from-capture and a query exclude each other; give one of them")
        }
    }

    /// What time it is taken to be.
    func moment() throws -> Date { try Self.moment(at) }

    /// Reads `--at`; a time without a zone is the campus's.
    static func moment(_ at: String?) throws -> Date {
        let now = Date()
        guard let at else { return now }
        guard let time = Moment.parse(at, now: Moment.microseconds(now), zone: CampusTime.zone) else {
            throw ValidationError("--at \(at): \(Moment.expectation)")
        }
        return Date(timeIntervalSince1970: Double(time) / 1_000_000)
    }

    /// The menus of what a filter selects, and whether every capture was looked at.
    func book(_ filter: Filter, in store: TrafficStore) throws -> (MenuBook, isWhole: Bool) {
        let reader = MenuReader(store)
        if let fromCapture { return (try reader.book(of: fromCapture), true) }
        return try reader.book(filter)
    }

    /// Selects the captures.
    ///
    /// - Throws: `FilterError` for a query that cannot be read, `InputError` for a number of no exchange.
    func filter(now: Date, in store: TrafficStore) throws -> Filter {
        try Selector(terms).filter(in: store, now: now)
    }

    /// Prints what was found: as JSON where that is asked for, else as lines.
    func print(to console: Console, json text: [UInt8], lines: (Style) -> [String]) throws {
        if json { try console.write(text) } else { for line in lines(console.style) { try console.line(line) } }
        try console.flush()
    }
}
