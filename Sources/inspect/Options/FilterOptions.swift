import ArgumentParser
import Foundation
import Traffic

/// The flags that select exchanges, the same in every listing and export.
///
/// Each may be repeated and takes comma lists. Values of one flag are joined by OR, flags by AND; a flag that is absent selects everything.
struct FilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Status codes: 404, 5xx, 400-499, >=400, pending, failed, tunnelled.", valueName: "codes")
    )
    var code: [String] = []

    @Option(help: ArgumentHelp("Methods: GET, POST … (ignoring case).", valueName: "methods"))
    var method: [String] = []

    @Option(help: ArgumentHelp("Schemes: http, https, ws, wss, none.", valueName: "schemes"))
    var scheme: [String] = []

    @Option(
        help: ArgumentHelp("Hosts: a name selects what lies under it too; * stands for anything.", valueName: "hosts")
    )
    var host: [String] = []

    @Option(help: ArgumentHelp("Media types of the response: application/json, text/html, none …", valueName: "types"))
    var type: [String] = []

    @Option(help: ArgumentHelp("Protocol versions on the client's side: 1.0, 1.1, 2, ws.", valueName: "versions"))
    var httpVersion: [String] = []

    @Option(help: ArgumentHelp("Outcomes: completed, failed, pending, tunnelled.", valueName: "outcomes"))
    var outcome: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only what started at or after this: 10m ago, or 2026-11-20T14:00 (local time unless it names a zone).",
            valueName: "time"
        )
    )
    var since: String?

    @Option(help: ArgumentHelp("Only what started before this.", valueName: "time"))
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
        let given: [(Facet, [String])] = [
            (.code, code), (.method, method), (.scheme, scheme), (.host, host), (.type, type), (.outcome, outcome),
            (.version, try httpVersion.flatMap { try $0.listed().map(FilterOptions.version) }),
        ]
        for (facet, values) in given {
            for value in values.flatMap({ $0.listed() }) {
                filter.select(try FacetSelector(value, in: facet), in: facet)
            }
        }
        filter.since = try since.map { try TimeBound.microseconds($0, flag: "--since", now: now) }
        filter.before = try before.map { try TimeBound.microseconds($0, flag: "--before", now: now) }
        return filter
    }

    /// The listing's name of a version as people write it.
    private static func version(_ text: String) throws -> String {
        switch text.lowercased() {
        case "1.0", "http/1.0": HTTPVersion.http10.rawValue
        case "1.1", "http/1.1": HTTPVersion.http11.rawValue
        case "2", "http/2", "h2": HTTPVersion.http2.rawValue
        case "ws", "websocket": HTTPVersion.webSocket.rawValue
        case Facet.none: Facet.none
        default: throw FilterError("--http-version \(text): expected 1.0, 1.1, 2, ws or none")
        }
    }
}

extension String {
    /// The parts of a comma list; an empty part is kept, so that it can be complained of.
    fileprivate func listed() -> [String] {
        split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
