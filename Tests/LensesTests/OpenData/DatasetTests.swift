import Foundation
import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct DatasetTests {
    private static let now = Date(timeIntervalSince1970: 1_795_284_000)

    private func dataset(_ changes: [String: String] = [:], without: Set<String> = []) throws -> Dataset {
        try #require(Dataset(try JSONReader.value(Array(PortalCapture.package(changes, without: without).utf8))))
    }

    @Test("A package is read with all that a card shows")
    func read() throws {
        let dataset = try dataset()
        #expect(dataset.name == "cycling-network")
        #expect(dataset.division == "Transportation Services")
        #expect(dataset.formats == ["CSV", "GEOJSON"])
        #expect(dataset.tags == ["bike lane"])
        #expect(dataset.licence == "Open Government Licence – Toronto")
        #expect(dataset.link == "https://open.toronto.ca/dataset/cycling-network/")
        #expect(dataset.resources.first?.recordCount == 1581)
        let expected = Timestamp.microseconds("2026-09-14T19:14:43.338902Z").map { Double($0) / 1_000_000 }
        #expect(dataset.lastRefreshed?.timeIntervalSince1970 == expected)
    }

    @Test(
        "Lists may be lists or one string with commas, and flags booleans or words",
        arguments: ["true", "\"true\"", "\"True\""]
    )
    func kinds(flag: String) throws {
        let dataset = try dataset(["formats": #""CSV, GEOJSON,,SHP ""#, "topics": "null", "is_retired": flag])
        #expect(dataset.formats == ["CSV", "GEOJSON", "SHP"])
        #expect(dataset.topics.isEmpty)
        #expect(dataset.isRetired)
    }

    @Test("A package without an id goes by its name, and one without either is none")
    func nameless() throws {
        #expect(try dataset([:], without: ["id", "title"]).id == "cycling-network")
        #expect(try dataset([:], without: ["name", "title"]).title == "abbe5ee3-e249-4f86-a219-f0022eaddcc9")
        for odd in [JSONValue.null, .array([]), .string("x"), .object([])] { #expect(Dataset(odd) == nil) }
    }

    @Test(
        "Each refresh rate says when content is stale: a tenth of its period late, a day at least",
        arguments: [
            ("Real-time", 0.9, "fresh"), ("Real-time", 1.1, "stale"), ("Daily", 1.9, "fresh"), ("Daily", 2.1, "stale"),
            // From a Friday to the Monday after it.
            ("Weekdays", 3.9, "fresh"), ("Weekdays", 4.1, "stale"),
            ("Weekly", 7.9, "fresh"), ("WEEKLY", 8.1, "stale"), ("Biweekly", 16, "stale"), ("Monthly", 34, "fresh"),
            ("Monthly", 34.2, "stale"), ("Quarterly", 101, "fresh"), ("Quarterly", 102, "stale"),
            ("Semi-annually", 202, "fresh"), ("semi annually", 203, "stale"), ("Annually", 402, "fresh"),
            ("Annually", 403, "stale"), ("As available", 4_000, "unscheduled"),
            ("Will not be Refreshed", 4_000, "unscheduled"), ("Now and then", 1, "unknown"), ("", 1, "unknown"),
        ] as [(String, Double, String)]
    )
    func freshness(rate: String, days: Double, word: String) throws {
        let refreshed = Timestamp.text(microseconds: Moment.microseconds(Self.now.addingTimeInterval(-days * 86_400)))
        let dataset = try dataset(["refresh_rate": "\"\(rate)\"", "last_refreshed": "\"\(refreshed)\""])
        #expect(dataset.freshness(at: Self.now).word == word)
    }

    @Test("What is retired is not stale, and what has no date is unknown")
    func retired() throws {
        #expect(try dataset(["is_retired": "true", "refresh_rate": "\"Daily\""]).freshness(at: Self.now) == .retired)
        let undated = try dataset(["refresh_rate": "\"Daily\""], without: ["last_refreshed", "metadata_modified"])
        #expect(undated.freshness(at: Self.now) == .unknown)
    }

    @Test(
        "Ages are said by their biggest unit",
        arguments: [
            (30.0, "0 minutes"), (90, "1 minute"), (3_600, "1 hour"), (7_300, "2 hours"), (90_000, "1 day"),
            (40 * 86_400, "40 days"), (70 * 86_400, "2 months"), (500 * 86_400, "16 months"), (800 * 86_400, "2 years"),
            (-5, "0 minutes"), (.infinity, "unknown"), (1e30, "1000000 years"),
        ] as [(Double, String)]
    )
    func age(seconds: Double, words: String) {
        #expect(DatasetFreshness.age(seconds) == words)
    }

    @Test("What changed between two copies is said, a sentence each")
    func changes() {
        func changes(from before: [String], to after: [String]) -> [String] {
            let answers = [before, after].map { PortalCapture.of("package_search", result: PortalCapture.found($0)) }
            return CKANLens().changes(from: answers[0], to: answers[1])
        }
        let before = PortalCapture.package()
        let after = PortalCapture.package([
            "refresh_rate": "\"Daily\"", "formats": #"["CSV"]"#, "last_refreshed": #""2026-11-01T00:00:00.000000""#,
        ])
        #expect(
            changes(from: [before], to: [after]) == [
                "Cycling Network: refresh rate Semi-annually → Daily", "Cycling Network: formats CSV, GEOJSON → CSV",
                "Cycling Network: last refreshed 2026-09-14T19:14 → 2026-11-01T00:00",
            ]
        )
        #expect(changes(from: [], to: [after]) == ["Cycling Network: came new"])
        #expect(changes(from: [before], to: []) == ["Cycling Network: is gone"])
        #expect(changes(from: [before, before], to: [before]).isEmpty)
    }
}
