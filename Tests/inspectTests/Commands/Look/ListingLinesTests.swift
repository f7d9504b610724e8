import Foundation
import Testing
import Traffic

@testable import inspect

/// How the rows of a listing are set: for a terminal, and for a pipe.
@Suite(.timeLimit(.minutes(15))) struct ListingLinesTests {
    /// A moment in microseconds since 1970: 2026-11-20T12:02:03.456Z.
    private static let noon: Int64 = 1_795_176_123_456_000
    private static let day: Int64 = 86_400_000_000

    private static func row(
        _ id: ExchangeID,
        _ target: String,
        method: String = "GET",
        at started: Int64 = noon,
        lasting duration: Int64? = 12_400,
        scheme: Scheme? = .https,
        host: String = "api.example.test",
        port: Int = 443,
        code: Int? = 200,
        type: String? = "application/json",
        bytes: Int64 = 512,
        outcome: Outcome = .completed,
        failure: ExchangeFailure? = nil
    ) -> ExchangeSummary {
        ExchangeSummary(
            id: id,
            started: started,
            duration: duration,
            method: method,
            scheme: scheme,
            host: host,
            port: port,
            target: target,
            code: code,
            mediaType: type,
            requestBytes: 0,
            responseBytes: bytes,
            version: .http11,
            upstreamVersion: .http11,
            outcome: outcome,
            failure: failure
        )
    }

    private static func failed(_ id: ExchangeID, _ target: String) -> ExchangeSummary {
        let failure = ExchangeFailure(side: .upstream, phase: .connect, cause: .refused, message: "No.", retry: true)
        return row(id, target, code: nil, type: nil, bytes: 0, outcome: .failed, failure: failure)
    }

    private static func lines(_ rows: [ExchangeSummary], width: Int?) -> [String] {
        var lines: [String] = []
        let layout = Layout(style: Style(isColoured: false), width: width)
        ListingLines(layout: layout).eachRow(rows) { line, _ in lines.append(line) }
        return lines
    }

    /// What every kind of row needs: big numbers, long words, and what has no code.
    private static let odd = [
        row(1_234_567, "/v2/facilities/?format=json&page=2&page_size=100"),
        row(7, "/a", method: "OPTIONS", code: 204, type: nil),
        row(8, "/b", method: "POST", type: "application/vnd.example.quite-long+msgpack", bytes: 999_499_000),
        row(
            9,
            "push.example.test:443",
            method: "CONNECT",
            lasting: 7_325_000_000,
            scheme: nil,
            code: nil,
            type: nil,
            outcome: .tunnelled
        ),
        row(10, "/c", lasting: nil, code: nil, type: nil, bytes: 0, outcome: .pending), failed(11, "/d"),
        row(12, "/e", method: "PROPPATCH-AND-MORE", type: "image/svg+xml"),
    ]

    @Test("A terminal's row has the time of day, a short type and the path before the host; the day stands above")
    func terminal() {
        let rows = [
            Self.row(42, "/v2/facilities/"),
            Self.row(41, "/login", method: "POST", scheme: .http, port: 80, type: nil),
        ]
        let (date, clock) = (
            LocalTime.text(microseconds: Self.noon).prefix(10), LocalTime.text(microseconds: Self.noon).suffix(8)
        )
        #expect(
            Self.lines(rows, width: 80) == [
                "  ID STARTED  METHOD RESPONSE    SIZE   TIME PATH AND HOST", String(date),
                "  42 \(clock) GET    200 json   512 B  12 ms /v2/facilities/  api.example.test",
                "  41 \(clock) POST   200        512 B  12 ms /login  http://api.example.test",
            ]
        )
    }

    @Test(
        "The address has two fifths of a terminal of 80 columns and more, whatever the rows hold",
        arguments: 80...200
    )
    func share(of width: Int) throws {
        for rows in [Self.odd] + Self.odd.map({ [$0] }) {
            let lines = Self.lines(rows, width: width)
            let heading = try #require(lines.first)
            let start = try #require(heading.firstRange(of: "PATH AND HOST")).lowerBound
            let before = heading.distance(from: heading.startIndex, to: start)
            #expect((width - before) * 5 >= width * 2, "\(heading)")
            for line in lines.dropFirst() where line.count > 10 {
                #expect(Array(line)[before] != " " && Array(line)[before - 1] == " ", "\(line)")
            }
        }
    }

    @Test("No line is wider than the terminal, and number, code and path are never left out", arguments: 24...120)
    func fits(in width: Int) {
        let lines = Self.lines(Self.odd, width: width)
        for line in lines { #expect(TerminalCells.width(line) <= width, "\(line)") }
        for part in ["1234567", " 204", " failed", " tunnelled", " /a"] {
            #expect(lines.contains { $0.contains(part) }, "\(part) in \(lines)")
        }
    }

    @Test("A path that leaves the host too little room is cut; what went wrong stands before the host")
    func cuts() {
        let long = Self.row(1, "/v2/" + String(repeating: "long", count: 40))
        let line = Self.lines([long], width: 80).last ?? ""
        #expect(line.hasSuffix("…  api.exampl…") && TerminalCells.width(line) == 80, "\(line)")
        let failed = Self.lines([Self.failed(2, "/d")], width: 120).last ?? ""
        #expect(failed.hasSuffix(" /d  [upstream connect: refused]  api.example.test"), "\(failed)")
    }

    @Test("A row names the rules that touched it, the first two of many, before the host and behind the URL")
    func rules() {
        var row = Self.row(2, "/d")
        row.rules = ["staging"]
        #expect(Self.lines([row], width: 120).last?.hasSuffix(" /d  [rule: staging]  api.example.test") == true)
        row.rules = ["staging", "as the beta app", "c", "d"]
        let end = "/d  [rules: staging, as the beta app and 2 more]"
        #expect(Self.lines([row], width: nil).last?.hasSuffix(end) == true)
    }

    @Test("Each day has a line of its own above its rows, at most once in a row")
    func days() {
        let rows = [
            Self.row(4, "/d", at: Self.noon), Self.row(3, "/c", at: Self.noon),
            Self.row(2, "/b", at: Self.noon - Self.day),
            Self.row(1, "/a", at: Self.noon - 7 * Self.day),
        ]
        let days = [0, 1, 7].map { String(LocalTime.text(microseconds: Self.noon - $0 * Self.day).prefix(10)) }
        let lines = Self.lines(rows, width: 100)
        #expect(lines.enumerated().filter { days.contains($0.element) }.map(\.offset) == [1, 4, 6])
        #expect(lines.filter { days.contains($0) } == days)
    }

    @Test("In a pipe each line stands for itself: with the day, the whole type and the URL, uncut")
    func pipe() {
        let rows = [Self.row(42, "/v2/facilities/"), Self.failed(41, "/" + String(repeating: "long", count: 40))]
        let moment = LocalTime.text(microseconds: Self.noon)
        #expect(
            Self.lines(rows, width: nil) == [
                "  ID  STARTED              CODE    METHOD  TYPE                 SIZE      TIME  URL",
                "  42  \(moment)  200     GET     application/json    512 B     12 ms  https://api.example.test/v2/facilities/",
                "  41  \(moment)  failed  GET     -                       -     12 ms  https://api.example.test/"
                    + String(repeating: "long", count: 40) + "  [upstream connect: refused]",
            ]
        )
    }
}
