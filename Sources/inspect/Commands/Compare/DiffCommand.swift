import ArgumentParser
import Foundation
import Traffic

/// `inspect diff`: what differs between two exchanges, or between two sets of them.
struct DiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two exchanges, or two sets of them.",
        discussion: """
            JSON is compared by its structure, header fields by name, and queries without regard to order. Sets are aligned by method, path template \
            and query, in the order the exchanges came. Fields that always differ (Date, Age, X-Request-Id and others) are ignored. The exit status \
            is 1 where something differs. The filter flags narrow both sets.

            Examples:
              inspect diff 12 40
              inspect diff --session monday tuesday --ignore 'json:$..modified,query:ts'
              inspect diff --left host:a.example.com --right host:b.example.com
              inspect diff 'host:api.example.com' --from yesterday.har
            """
    )

    @Argument(
        help: ArgumentHelp("Two exchanges by number; with --from what is on the left side.", valueName: "selector")
    )
    var terms: [String] = []

    @Option(help: ArgumentHelp("The left set: numbers and ranges, or a query.", valueName: "selector"))
    var left: String?

    @Option(help: ArgumentHelp("The right set.", valueName: "selector"))
    var right: String?

    @Option(
        name: .customLong("session"),
        parsing: .upToNextOption,
        help: ArgumentHelp("The names of two sessions.", valueName: "name")
    )
    var sessions: [String] = []

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp("Read the right set from this archive; given twice, both sets.", valueName: "file"),
        completion: .file()
    )
    var archives: [String] = []

    @Option(help: ArgumentHelp("Write the comparison as JUnit XML.", valueName: "file"), completion: .file())
    var junit: String?

    @OptionGroup var output: OutputOptions
    @OptionGroup(title: "Comparison") var comparison: NoiseOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "Filter") var method: MethodFlag
    @OptionGroup(title: "Filter") var flags: FilterFlags

    func validate() throws { _ = try selection() }
    func run() async throws {
        let selection = try selection()
        let sides = try DiffSides(selection, store: store, now: Date())
        let noise = try comparison.noise()
        let diff = CaptureDiff(noise: noise, scope: sides.isPair ? .pair : .sets)
        let report = ComparisonReport(
            Console(colours: output.colours.choice, outlivesReader: true),
            form: output.json ? .json : sides.isPair ? .full : .differences,
            junit: junit
        )
        let places = try sides.places(noise)
        var learning: NoiseLearning?
        if let samples = comparison.samples {
            guard sides.isLeftInStore else {
                throw InputError("--learn-noise sends the left side again, which has to be in the store")
            }
            learning = NoiseLearning(sides.left.store, diff, samples: samples)
            try await learning?.replay(places.compactMap(\.left), through: try InstanceClient.running(on: store))
        }
        try sides.compare(places, diff, learning, into: report)
        if report.isEmpty { throw InputError("nothing was compared: neither side has an exchange") }
        try report.finish()
        if !report.isEqual { throw ExitCode(1) }
    }

    private func selection() throws -> DiffSelection {
        try DiffSelection(
            terms: terms,
            left: left,
            right: right,
            sessions: sessions,
            archives: archives,
            flags: FlaggedFilter(flags: flags, method: method)
        )
    }
}
