import ArgumentParser
import Foundation
import Store
import Traffic

/// `inspect export`: the filtered exchanges as a file for other tools.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the matching exchanges, oldest first, as HAR 1.2 or JSON.",
        discussion: """
            A HAR file holds what ended; --all adds pending and tunnelled exchanges, with status 0. JSON holds all of them, with everything recorded.
            Bodies are decoded. The file is written beside its name and moved there when whole, readable by you alone: captures hold secrets.

            Examples:
              inspect export --format har -o capture.har
              inspect export 'code:5xx since:1h' --format jsonl | jq -r .url
            """
    )

    /// What a file can be.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case har, json, jsonl
    }

    @Option(help: "har, json (one object), or jsonl (one exchange a line).")
    var format: Format = .har

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Flag(help: "HAR: pending and tunnelled exchanges too.")
    var all = false

    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    func run() async throws {
        let store = try store.openForReading()
        let exporter = Exporter(store: store, scope: all ? .all : .ended)
        let ids = try store.ids(filter.filter(now: Date()))
        guard let output else {
            let console = Console()
            try exporter.write(ids, as: format) { try console.write($0) }
            return try console.flush()
        }
        let file = try OutputFile(output)
        try exporter.write(ids, as: format) { try file.write($0) }
        try file.finish()
    }
}
