import Archive
import ArgumentParser
import Foundation
import Store
import Traffic

/// `inspect export`: the filtered exchanges as a file for other tools.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write exchanges as HAR, JSON, CSV, code or OpenAPI.",
        discussion: """
            The oldest exchange comes first. A HAR file holds what ended; --all adds pending and tunnelled exchanges, with status 0. JSON holds all \
            of them, with everything recorded.
            Both hold decoded bodies. curl, httpie, python, swift, javascript and postman send the requests again, each body as it was on the wire; \
            raw is the messages as they passed. Captures hold secrets, so only you can read the file; it takes its name when it is complete.

            openapi is a document of OpenAPI 3.1 that the exchanges keep to: paths with identifiers left open, parameters, bodies and answers, with \
            what all captures have in common. A member that always came is required; a few words that came often are an enumeration. Examples are cut \
            short and masked as --share does; read the document before you hand it on.

            Examples:
              inspect export --format har -o capture.har
              inspect export --from page.har --format curl
              inspect export 'code:5xx since:1h' --format jsonl | jq -r .url
              inspect export --share -o for-the-forum.har
              inspect export --host api.example.com --method POST --format curl > again.sh
              inspect export 'host:api.example.com' --format openapi --title Example -o api.json
            """
    )

    @Option(
        help: ArgumentHelp(
            "har, json (one object), jsonl (one exchange a line), csv (the lines of a listing), curl, httpie, python, swift, javascript, postman, raw, openapi.",
            valueName: "format"
        )
    )
    var format = ExportChoice.file(.har)

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
        completion: .file()
    )
    var output: String?

    @Flag(help: "HAR: pending and tunnelled exchanges too.")
    var all = false

    @OptionGroup(title: "OpenAPI") var document: OpenAPIExportOptions
    @OptionGroup(title: "Secrets") var redaction: RedactionOptions
    @OptionGroup var source: ReadingOptions
    @OptionGroup(title: "Filter") var filter: FilterOptions

    func validate() throws {
        guard format == .openapi else {
            if !document.isEmpty { throw ValidationError("--title and --yaml go with --format openapi") }
            return
        }
        if all { throw ValidationError("--all is for HAR; leave it out with --format openapi") }
        if redaction.noRedact || !redaction.redactPattern.isEmpty {
            throw ValidationError("--format openapi masks as --share does; leave --no-redact and --redact-pattern out")
        }
    }

    func run() async throws {
        try source.read { store in
            switch format {
            case .file(let format): try write(store, as: format)
            case .openapi:
                let selection = try CheckSelection(filter, in: store, now: Date())
                try OpenAPIInference(store: store).write(selection, document, to: output)
            }
        }
    }

    private func write(_ store: TrafficStore, as format: ExportFormat) throws {
        let redactor = try redaction.redactor()
        let progress = Progress()
        let exporter = Exporter(
            store: store,
            scope: all ? .all : .ended,
            creatorVersion: BuildVersion.text,
            redactor: redactor,
            remedyWords: \.command,
            refusalWords: RefusalRemedy.words
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
        for line in ExportCommand.remarks(shortfall, in: source.place) { Console.remark("inspect: \(line)") }
        if let redactor { Console.remark("inspect: \(RedactionOptions.remark(redactor.report))") }
    }

    /// Exchanges of which something was left out that are named.
    private static let namedLimit = 5

    /// What a person should know of a file, a line each.
    ///
    /// - Parameters:
    ///   - shortfall: the exchanges that are not written whole.
    ///   - place: the options that name where they are, with a space before them; empty where a command looks by itself.
    /// - Returns: the lines, in the order in which they are told.
    static func remarks(_ shortfall: Exporter.Shortfall, in place: String = "") -> [String] {
        var lines: [String] = []
        if shortfall.leftOut > 0 {
            let what = shortfall.leftOut.counted("exchange was", "exchanges were")
            lines.append("\(what) left out: tunnels, WebSockets and unreadable requests cannot be sent again")
        }
        if let first = shortfall.shortened.first {
            let count = shortfall.shortened.count
            let what = count.counted("exchange is", "exchanges are")
            var which = shortfall.shortened.prefix(namedLimit).map { "\($0)" }.joined(separator: ", ")
            if count > namedLimit { which += " and more" }
            let show = "inspect show \(first)\(place)"
            lines.append(
                "\(what) longer than 'inspect import' reads, so a part of \(count == 1 ? "its" : "their") bodies or messages was left out: \(which); all of it: \(show) --body response --raw (or --body request), \(show) --messages"
            )
        }
        if shortfall.overlong > 0 {
            let what = shortfall.overlong.counted("exchange has", "exchanges have")
            let rest = shortfall.overlong == 1 ? "so it does not come back" : "so they do not come back"
            lines.append("\(what) heads longer than 'inspect import' reads, \(rest) from what is written here")
        }
        return lines
    }
}
