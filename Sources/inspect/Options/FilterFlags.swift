import ArgumentParser
import Foundation
import Traffic

/// The flags that narrow what a command takes, the same in every command that has them; `MethodFlag` is one more.
///
/// Each may be repeated and takes comma lists. Values of one flag are joined by OR, flags by AND; a flag that is absent selects everything.
struct FilterFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Status codes: 404, 5xx, 400-499, >=400, pending, no-answer, cancelled, tunnelled.",
            valueName: "codes"
        )
    )
    var code: [String] = []

    @Option(help: ArgumentHelp("Schemes: http, https, ws, wss, none.", valueName: "schemes"))
    var scheme: [String] = []

    @Option(
        help: ArgumentHelp("Hosts: a name selects what lies under it too; * stands for anything.", valueName: "hosts")
    )
    var host: [String] = []

    @Option(
        help: ArgumentHelp("Types of the response: json, html, image …, application/json, none.", valueName: "types")
    )
    var type: [String] = []

    @Option(help: ArgumentHelp("Protocol versions on the client's side: 1.0, 1.1, 2, 3, ws.", valueName: "versions"))
    var httpVersion: [String] = []

    @Option(help: ArgumentHelp("Outcomes: completed, failed, cancelled, pending, tunnelled.", valueName: "outcomes"))
    var outcome: [String] = []

    @Option(help: ArgumentHelp("Tags, or none for exchanges without a tag.", valueName: "tags"))
    var tag: [String] = []

    @Option(
        help: ArgumentHelp(
            "Apps: a word of the name, or a whole name of several words; none for unknown.",
            valueName: "apps"
        )
    )
    var client: [String] = []

    @Option(help: ArgumentHelp("Lenses that read it: whatsopen, json …, or none.", valueName: "lenses"))
    var lens: [String] = []

    @Option(
        help: ArgumentHelp(
            "Programs of this machine: a part of the name, or the whole name in quotes; none for unknown.",
            valueName: "programs"
        )
    )
    var process: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only exchanges that started at or after this: 10m ago, or 2026-11-20T14:00 (local time unless it names a zone).",
            valueName: "time"
        )
    )
    var since: String?

    @Option(help: ArgumentHelp("Only exchanges that started before this.", valueName: "time"))
    var before: String?

    mutating func validate() throws {
        do {
            _ = try filter(now: Date())
        } catch let error as FilterError {
            throw ValidationError(error.description)
        }
    }

    /// The filter that the flags describe.
    ///
    /// - Parameter now: what `--since 10m` counts back from.
    /// - Returns: the filter.
    /// - Throws: `FilterError` naming the flag, its value and what was expected.
    func filter(now: Date) throws -> Filter {
        var filter = Filter()
        for (facet, values) in facets {
            let label = facet == .version ? "--http-version " : "--\(facet.name) "
            for selector in try values.flatMap({ try FacetSelector.list($0, in: facet, label: label) }) {
                filter.select(selector, in: facet)
            }
        }
        filter.since = try since.map { try FilterFlags.moment($0, "--since", now) }
        filter.before = try before.map { try FilterFlags.moment($0, "--before", now) }
        return filter
    }

    /// Whether no flag is given.
    var isEmpty: Bool {
        facets.allSatisfy(\.values.isEmpty) && since == nil && before == nil
    }

    private var facets: [(facet: Facet, values: [String])] {
        [
            (.code, code), (.scheme, scheme), (.host, host), (.type, type), (.outcome, outcome),
            (.version, httpVersion), (.tag, tag), (.client, client), (.lens, lens),
            (.process, process),
        ]
    }

    private static func moment(_ text: String, _ flag: String, _ now: Date) throws -> Int64 {
        guard let time = Moment.parse(text, now: Moment.microseconds(now)) else {
            throw FilterError("\(flag) \(text): \(Moment.expectation)")
        }
        return time
    }
}
