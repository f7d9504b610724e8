import ArgumentParser
import Foundation
import Lenses
import Traffic

/// `inspect facilities alerts`: the captured messages to everybody on campus.
struct AlertsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alerts",
        abstract: "List captured campus alerts shown at a moment.",
        discussion: """
            Examples:
              inspect facilities alerts
              inspect facilities alerts --all --urgency major,emergency
            """
    )

    @Flag(help: "Also alerts that are past, or not shown yet.")
    var all = false

    @Option(help: ArgumentHelp("Only of these urgencies: info, minor, major, emergency.", valueName: "urgencies"))
    var urgency: [String] = []

    @OptionGroup(title: "Moment") var moment: MomentOptions

    @Option(help: ArgumentHelp("Read this exchange instead of the newest list.", valueName: "id"))
    var fromCapture: ExchangeID?

    @OptionGroup var output: OutputOptions

    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    mutating func validate() throws {
        _ = try PlaceProblem.told { try AlertQuestion(asked, Filter(), now: Date()) }
    }

    func run() async throws {
        let store = try store.openForReading()
        let now = Date()
        let filter = try filter.filter(now: now, in: store)
        let board = try PlaceProblem.told { try AlertQuestion(asked, filter, now: now).answer(store) }
        try Console().write(AlertsReport(board: board), output)
    }

    private var asked: PlaceOptions {
        var asked = PlaceOptions()
        moment.add(to: &asked)
        asked.add("urgency", urgency)
        asked.add("all", all)
        asked.add("from-capture", fromCapture.map { "\($0)" })
        return asked
    }
}
