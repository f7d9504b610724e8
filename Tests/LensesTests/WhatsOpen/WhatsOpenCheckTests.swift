import Foundation
import Testing
import Traffic

@testable import Lenses

@Suite(.timeLimit(.minutes(15)))
struct WhatsOpenCheckTests {
    private let lens = WhatsOpenLens()
    /// A main schedule that no rule has a word against.
    private static let allDay = CampusSample.schedule(allDay: true)

    @Test("What is as it should be has no findings")
    func clean() {
        let body = "[\(CampusSample.json("a", main: Self.allDay)),\(CampusSample.json("b", main: Self.allDay))]"
        #expect(lens.findings(CampusSample.capture(body)).isEmpty)
    }

    @Test(
        "Each rule is broken by what it is about, where it is",
        arguments: [
            ("WO-2", "/0/main_schedule", CampusSample.json(main: "null")),
            (
                "WO-3", "/0/main_schedule/open_times/0/start_day",
                CampusSample.json(main: CampusSample.schedule([CampusSample.entry(7, "07:00:00", 0, "08:00:00")]))
            ),
            (
                "WO-4", "/0/main_schedule/open_times/0/end_time",
                CampusSample.json(main: CampusSample.schedule([CampusSample.entry(0, "07:00:00", 0, "8 pm")]))
            ),
            (
                "WO-5", "/0/special_schedules/0/valid_start",
                CampusSample.json(main: allDay, specials: [CampusSample.schedule(allDay: true)])
            ),
            (
                "WO-5", "/0/special_schedules/0/valid_end",
                CampusSample.json(
                    main: allDay,
                    specials: [
                        CampusSample.schedule(
                            from: "2026-10-02T00:00:00-04:00",
                            to: "2026-10-01T00:00:00-04:00",
                            allDay: true
                        )
                    ]
                )
            ),
            (
                "WO-6", "/0/special_schedules/0/valid_start",
                CampusSample.json(
                    main: allDay,
                    specials: [
                        CampusSample.schedule(
                            from: "2026-10-02T00:00:00.000001-04:00",
                            to: "2026-10-03T00:00:00-04:00",
                            allDay: true
                        )
                    ]
                )
            ),
            ("WO-7", "/0/facility_classifier", CampusSample.json(main: allDay, classifier: #"["s","h"]"#)),
            (
                "WO-8", "/0/facility_location/coordinate_location/coordinates",
                CampusSample.json(main: allDay, coordinates: "[38.8,-77.3]")
            ),
            (
                "WO-9", "/0/special_schedules/0/valid_start",
                CampusSample.json(
                    main: allDay,
                    specials: [
                        CampusSample.schedule(
                            from: "2026-10-02T00:00:00",
                            to: "2026-10-03T00:00:00-04:00",
                            allDay: true
                        )
                    ]
                )
            ),
            ("WO-9", "/0/modified", CampusSample.json(main: allDay, more: #","modified":"2026-09-01T10:00:00""#)),
            (
                "WO-10", "/0/special_schedules/0/valid_end",
                CampusSample.json(
                    main: allDay,
                    specials: [
                        CampusSample.schedule(
                            from: "2026-06-01T00:00:00-04:00",
                            to: "2026-06-02T00:00:00-04:00",
                            allDay: true
                        )
                    ]
                )
            ),
            (
                "WO-11", "/0/main_schedule/open_times/0/end_day",
                CampusSample.json(main: CampusSample.schedule([CampusSample.entry(2, "11:30:00", 3, "13:00:00")]))
            ),
            ("WO-12", "/0/facility_location/campus_region", CampusSample.json(main: allDay, region: "mars")),
            ("WO-T1", "/0/main_schedule", CampusSample.json(main: CampusSample.schedule(CampusSample.overnight))),
            ("WO-T2", "/0/main_schedule", CampusSample.json(main: CampusSample.schedule(CampusSample.overnight))),
            (
                "WO-T3", "/0/main_schedule/open_times/6",
                CampusSample.json(main: CampusSample.schedule(CampusSample.overnight))
            ),
            (
                "WO-T4", "/0/main_schedule",
                CampusSample.json(
                    main: CampusSample.schedule(
                        CampusSample.entries([2], "11:30:00", "13:00:00")
                            + CampusSample.entries([2], "17:00:00", "19:00:00")
                    )
                )
            ),
            (
                "WO-T5", "/0",
                CampusSample.json(main: CampusSample.schedule(CampusSample.entries([2], "11:30:00", "13:00:00")))
            ),
            (
                "WO-T6", "/0/main_schedule",
                CampusSample.json(main: CampusSample.schedule([CampusSample.entry(2, "11:30:00", 3, "13:00:00")]))
            ),
            (
                "WO-T7", "/0/main_schedule/open_times/0/start_time",
                CampusSample.json(main: CampusSample.schedule([CampusSample.entry(0, "7:00", 0, "20:00:00")]))
            ),
            (
                "WO-T8", "/0/special_schedules/0",
                CampusSample.json(
                    main: allDay,
                    specials: [
                        CampusSample.schedule(
                            CampusSample.entries(0..<7, "09:00:00", "17:00:00"),
                            from: "2026-09-14T00:00:00-04:00",
                            to: "2026-09-20T00:00:00-04:00"
                        )
                    ]
                )
            ),
            (
                "WO-T9", "/0",
                CampusSample.json(main: CampusSample.schedule(CampusSample.entries([0], "07:00:00", "09:00:00")))
            ),
            (
                "WO-T10", "/0/special_schedules/0/valid_start",
                CampusSample.json(main: allDay, specials: [CampusSample.schedule(allDay: true)])
            ),
            ("WO-T11", "/0", CampusSample.json(main: "null")),
            ("WO-T12", "/0", CampusSample.json(main: CampusSample.schedule(CampusSample.overnight))),
            (
                "WO-Sv1", "/0/main_schedule",
                CampusSample.json(main: CampusSample.schedule(CampusSample.entries([2], "22:00:00", "02:00:00")))
            ),
            (
                "WO-Sv2", "/0/special_schedules/0",
                CampusSample.json(
                    main: allDay,
                    specials: [
                        CampusSample.schedule(
                            from: "2026-06-01T00:00:00-04:00",
                            to: "2026-06-02T00:00:00-04:00",
                            allDay: true
                        )
                    ]
                )
            ),
            (
                "WO-A2", "/0/special_schedules/0",
                CampusSample.json(main: allDay, specials: [CampusSample.schedule(allDay: true)])
            ),
            ("WO-quote", "/0/facility_name", CampusSample.json(name: "Dunkin' Donuts", main: allDay)),
            (
                "WO-labels", "/0/facility_labels",
                CampusSample.json(main: allDay, more: #","facility_labels":["Donuts"]"#)
            ),
        ] as [(String, String, String)]
    )
    func rules(rule: String, pointer: String, facility: String) throws {
        let findings = lens.findings(CampusSample.capture("[\(facility)]"))
        let found = try #require(findings.first { $0.rule == rule }, "\(findings.map(\.rule))")
        #expect(found.pointer == pointer && !found.consequence.isEmpty)
        #expect(lens.rules.contains { $0.id == rule })
    }

    @Test("Every finding names a rule of the lens, and each rule's id stands once")
    func ids() {
        #expect(Set(lens.rules.map(\.id)).count == lens.rules.count)
        #expect(lens.rules.prefix(14).map(\.id) == (1...14).map { "WO-\($0)" })
        for bug in ClientBug.allCases { #expect(lens.rules.contains { $0.id == "WO-\(bug.rawValue)" }) }
    }

    @Test("Consequences are plain: what the phone shows, when, or that it crashes")
    func consequences() throws {
        let night = lens.findings(
            CampusSample.capture("[\(CampusSample.json(main: CampusSample.schedule(CampusSample.overnight)))]")
        )
        let first = try #require(night.first { $0.rule == "WO-T1" })
        #expect(
            first.consequence == "the iPhone app shows it closed from Mon 00:00 to 02:00" && first.severity == .breach
        )
        #expect(first.message.contains("840 minutes"))
        let null = lens.findings(
            CampusSample.capture(
                "[\(CampusSample.json(main: Self.allDay, specials: [CampusSample.schedule(allDay: true)]))]"
            )
        )
        #expect(null.first { $0.rule == "WO-T10" }?.consequence == "the iPhone app would crash")
    }

    @Test("A slug that stands twice is said where it stands again")
    func duplicates() {
        let body = "[\(CampusSample.json(main: Self.allDay)),\(CampusSample.json(name: "Other", main: Self.allDay))]"
        let findings = lens.findings(CampusSample.capture(body))
        #expect(findings.map(\.rule) == ["WO-13"] && findings.first?.pointer == "/1/slug")
    }

    @Test("Hygiene is a notice, a breach of the contract a breach")
    func severities() throws {
        let empty = CampusSample.json(main: CampusSample.schedule(CampusSample.entries([2], "00:00:00", "00:00:00")))
        let wrap = CampusSample.json(main: CampusSample.schedule(CampusSample.entries([2], "22:00:00", "02:00:00")))
        let severity = { (json: String) in
            lens.findings(CampusSample.capture("[\(json)]")).first { $0.rule == "WO-11" }?.severity
        }
        #expect(severity(empty) == .notice && severity(wrap) == .breach)
    }

    @Test("open_now is held to what is open at the answer's Date, and hours of UTC are recognised")
    func openNow() {
        // Monday 14:02 in New York is 18:02 in UTC.
        let open = CampusSample.json(
            "a",
            main: CampusSample.schedule(CampusSample.entries([0], "14:00:00", "15:00:00"))
        )
        let later = CampusSample.json(
            "b",
            main: CampusSample.schedule(CampusSample.entries([0], "18:00:00", "19:00:00"))
        )
        let find = { (target: String, body: String) in
            lens.findings(CampusSample.capture(target, "[\(body)]")).filter { ["WO-14", "WO-Sv3"].contains($0.rule) }
        }
        #expect(find("/api/facilities/?open_now", open).isEmpty)
        #expect(find("/api/facilities/?closed_now", later).isEmpty)
        #expect(find("/api/facilities/?format=json", later).isEmpty)
        #expect(find("/api/facilities/?open_now", "\(open),\(later)").map(\.rule) == ["WO-14"])
        #expect(find("/api/facilities/?open_now", later).map(\.rule) == ["WO-14", "WO-Sv3"])
        #expect(find("/api/facilities/?closed_now", open).map(\.pointer).first == "/0")
    }

    @Test("What freezes the app", arguments: [429, 500, 503, 404])
    func frozen(code: Int) {
        let findings = lens.findings(CampusSample.capture(code: code, #"{"detail":"x"}"#))
        #expect(findings.map(\.rule) == ["WO-frozen"])
        #expect(lens.findings(CampusSample.capture(method: "POST", code: 403, #"{"detail":"x"}"#)).isEmpty)
        #expect(lens.findings(CampusSample.capture(code: 301, "")).isEmpty)
        #expect(lens.findings(CampusSample.capture(code: 304, "")).isEmpty)
    }

    @Test("A place with more special schedules than are read breaks no rule by that, and its hours are not judged")
    func unread() throws {
        // Fifty of the past, and then the one that rules: what is read says open all day, and the place is closed.
        let past = (0..<50).map { index in
            CampusSample.schedule(
                name: "past \(index)",
                from: "2020-01-01T00:00:00-05:00",
                to: "2020-01-02T00:00:00-05:00",
                allDay: true
            )
        }
        let closed = CampusSample.schedule(
            name: "closed",
            from: "2026-01-01T00:00:00-05:00",
            to: "2027-01-01T00:00:00-05:00"
        )
        let json = CampusSample.json(main: Self.allDay, specials: past + [closed])
        let facility = try CampusSample.facility(json: json)
        #expect(facility.warnings.contains { $0.kind == .unread })
        let capture = CampusSample.capture("/api/facilities/?closed_now", "[\(json)]")
        let rules = Set(lens.findings(capture).map(\.rule))
        #expect(rules.isDisjoint(with: ["WO-12", "WO-14"]), "\(rules)")
    }

    @Test("Of thousands of special schedules as many are read as a place may have, and the rest is said")
    func specials() throws {
        let specials = (0..<2_000).map { index in
            CampusSample.schedule(
                name: "\(index)",
                from: "2026-09-14T00:00:\(index % 60 < 10 ? "0" : "")\(index % 60)-04:00",
                to: "2026-09-20T00:00:00-04:00",
                allDay: true
            )
        }
        let facility = try CampusSample.facility(json: CampusSample.json(main: Self.allDay, specials: specials))
        #expect(facility.specials.count <= 100)
        #expect(facility.warnings.contains { $0.text.hasPrefix("2000 special schedules: only") })
    }

    @Test("Of a list of thousands of places as many are held to their hours as can be in some seconds, and it is said")
    func places() throws {
        let many = (0..<3_000).map { CampusSample.json("s\($0)", main: CampusSample.schedule(CampusSample.overnight)) }
        let list = try #require(try? JSONReader.value(Array("[\(many.joined(separator: ","))]".utf8)).elements)
        #expect(WhatsOpenCheck.compared(list.compactMap { Facility($0) }).count == 500)
        // A place with as many hours as can be read is much work by itself.
        let hours = (0..<500).map { CampusSample.entry($0 % 7, "07:00:\(10 + $0 % 50)", $0 % 7, "08:00:00") }
        let heavy = try CampusSample.facility(hours, specials: [CampusSample.schedule(hours)])
        let compared = WhatsOpenCheck.compared(Array(repeating: heavy, count: 100)).count
        #expect(compared >= 1 && compared < 10, "\(compared)")
        let capture = CampusSample.capture("/api/facilities/", "[\(many.joined(separator: ","))]")
        #expect(lens.unchecked(capture) == ["the hours of all but the first 500 places are not checked"])
        var run = CheckRun(selects: { _ in true }, document: nil, shownLimit: 1)
        run.add(CampusSample.capture("/api/facilities/", "[\(many[0])]"), earlier: { _ in nil })
        #expect(run.unchecked.isEmpty)
    }
}
