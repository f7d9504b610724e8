import Foundation
import Testing
import Traffic

@testable import inspect

struct OptionsTests {
    @Test(
        "Points in time are read as ages, dates and times, local unless they name a zone",
        arguments: [
            ("10m", "2026-11-20T13:50:00.000Z"), ("45s", "2026-11-20T13:59:15.000Z"),
            ("2h", "2026-11-20T12:00:00.000Z"),
            ("3d", "2026-11-17T14:00:00.000Z"), ("1w", "2026-11-13T14:00:00.000Z"),
            ("2026-11-20", "2026-11-20T05:00:00.000Z"),
            ("2026-11-20T14:00", "2026-11-20T19:00:00.000Z"), ("2026-11-20 14:00:05", "2026-11-20T19:00:05.000Z"),
            ("2026-11-20T14:00Z", "2026-11-20T14:00:00.000Z"),
            ("2026-11-20T14:00:05.25+02:00", "2026-11-20T12:00:05.250Z"),
            ("2026-07-01T00:00-0530", "2026-07-01T05:30:00.000Z"),
        ]
    )
    func readsTimes(_ text: String, _ expected: String) throws {
        let now = try #require(ISO8601DateFormatter().date(from: "2026-11-20T14:00:00Z"))
        let zone = try #require(TimeZone(identifier: "America/New_York"))
        #expect(
            Timestamp.text(microseconds: try TimeBound.microseconds(text, flag: "--since", now: now, zone: zone))
                == expected
        )
    }

    @Test(
        "What is no point in time is refused by name",
        arguments: [
            "", "yesterday", "10", "10x", "-5m", "2026-13-01", "2026-02-30", "2026-11-20T25:00",
            "2026-11-20T14:00+99:00",
        ]
    )
    func refusesTimes(_ text: String) {
        #expect(throws: FilterError.self) { try TimeBound.microseconds(text, flag: "--since", now: Date()) }
    }

    @Test("Flags become a filter: lists and repeats in one category, categories together")
    func buildsFilter() throws {
        let options = try FilterOptions.parse([
            "--code", "500,404", "--code", "pending", "--method", "get", "--http-version", "2",
        ])
        let filter = try options.filter(now: Date())
        for code in ["500", "404", "pending"] { #expect(filter.accepts(code, in: .code)) }
        #expect(!filter.accepts("200", in: .code))
        #expect(filter.accepts("GET", in: .method) && !filter.accepts("POST", in: .method))
        #expect(filter.accepts("HTTP/2", in: .version) && !filter.accepts("HTTP/1.1", in: .version))
        #expect(filter.accepts("anything", in: .host))
    }

    @Test("Places follow XDG and INSPECT_STORE")
    func findsPlaces() {
        #expect(Places(environment: [:], home: "/h").store == "/h/.local/share/inspect/captures.db")
        #expect(Places(environment: ["XDG_DATA_HOME": "/x"], home: "/h").store == "/x/inspect/captures.db")
        #expect(
            Places(environment: ["XDG_DATA_HOME": "relative"], home: "/h").certificates == "/h/.local/share/inspect/ca"
        )
        let named = Places(environment: ["INSPECT_STORE": "/s.db"], home: "/h")
        #expect(named.store == "/s.db")
        #expect(named.certificates == "/h/.local/share/inspect/ca")
    }
}
