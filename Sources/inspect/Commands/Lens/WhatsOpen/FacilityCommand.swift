import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// `inspect facility`: one captured facility, and why it is open or closed.
struct FacilityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "facility",
        abstract: "Explain why a captured facility is open or closed.",
        discussion: """
            --why shows the schedule in force and its reason, the interval, clock changes, the week, warnings, and what each client would say, with \
            the minutes of the week in which it is wrong.

            Examples:
              inspect facility rivanna-kitchen --why
              inspect facility rivanna-kitchen --why --at 2026-11-01T01:30
            """
    )

    @Argument(help: ArgumentHelp("The facility's slug, or its name.", valueName: "slug"))
    var slug: String

    @Flag(help: "Explain why it is open or closed, and what each client would say.")
    var why = false

    @OptionGroup(title: "Moment") var moment: MomentOptions

    @Option(help: ArgumentHelp("Read this exchange instead of the newest list.", valueName: "id"))
    var fromCapture: ExchangeID?

    @Flag(help: "Print one JSON object, with everything.")
    var json = false

    @OptionGroup var store: StoreOptions

    func run() async throws {
        let store = try store.openForReading()
        let card = try PlaceProblem.told { try FacilityCardQuestion(asked, Filter(), now: Date()).answer(store) }
        let console = Console()
        if json {
            try console.write(card)
        } else {
            for line in card.lines(console, isWhole: why) { try console.line(line) }
        }
        try console.flush()
    }

    private var asked: PlaceOptions {
        var asked = PlaceOptions([("slug", slug)])
        moment.add(to: &asked)
        asked.add("from-capture", fromCapture.map { "\($0)" })
        return asked
    }
}
