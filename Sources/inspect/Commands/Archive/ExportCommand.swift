import Archive
import ArgumentParser
import Foundation
import Store
import Traffic

/// `inspect export`: the filtered exchanges as a file for other tools.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write matching exchanges as HAR, JSON, CSV or code.",
        discussion: """
            The oldest exchange comes first. A HAR file holds what ended; --all adds pending and tunnelled exchanges, with status 0. JSON holds all \
            of them, with everything recorded.
            Both hold decoded bodies. curl, httpie, python, swift, javascript and postman send the requests again, each body as it was on the wire; \
            raw is the messages as they passed. Captures hold secrets, so only you can read the file; it takes its name when it is complete.

            Examples:
              inspect export --format har -o capture.har
              inspect export 'code:5xx since:1h' --format jsonl | jq -r .url
              inspect export --share -o for-the-forum.har
              inspect export --host api.example.com --method POST --format curl > again.sh
            """
    )

    @Option(
        help: ArgumentHelp(
            "har, json (one object), jsonl (one exchange a line), csv (the lines of a listing), curl, httpie, python, swift, javascript, postman, raw.",
            valueName: "format"
        )
    )
    var format: ExportFormat = .har

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Flag(help: "HAR: pending and tunnelled exchanges too.")
    var all = false

    @OptionGroup(title: "Secrets") var redaction: RedactionOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    func run() async throws {
        let store = try store.openForReading()
        let redactor = try redaction.redactor()
        let progress = Progress()
        let exporter = Exporter(
            store: store,
            scope: all ? .all : .ended,
            creatorVersion: BuildVersion.text,
            redactor: redactor
        ) { progress.tell($0, of: $1, "export") }
        let ids = try store.ids(filter.filter(now: Date(), in: store))
        let shortfall: Exporter.Shortfall
        if let output {
            let file = try OutputFile(named: output)
            shortfall = try exporter.write(ids, as: format) { try file.write($0) }
            try file.finish()
        } else {
            let console = Console()
            shortfall = try exporter.write(ids, as: format) { try console.write($0) }
            try console.flush()
        }
        progress.clear()
        for line in ExportCommand.remarks(shortfall) { Console.remark("inspect: \(line)") }
        if let redactor { Console.remark("inspect: \(RedactionOptions.remark(redactor.report))") }
    }

    /// What a person should know of a file, a line each.
    static func remarks(_ shortfall: Exporter.Shortfall) -> [String] {
        var lines: [String] = []
        if shortfall.leftOut > 0 {
            let what = shortfall.leftOut == 1 ? "1 exchange was" : "\(shortfall.leftOut) exchanges were"
            lines.append("\(what) left out: tunnels, WebSockets and unreadable requests cannot be sent again")
        }
        if shortfall.overlong > 0 {
            let isOne = shortfall.overlong == 1
            let what = isOne ? "1 exchange is" : "\(shortfall.overlong) exchanges are"
            let rest = isOne ? "so it does not come back" : "so they do not come back"
            lines.append("\(what) longer than 'inspect import' reads, \(rest) from what is written here")
        }
        return lines
    }
}
