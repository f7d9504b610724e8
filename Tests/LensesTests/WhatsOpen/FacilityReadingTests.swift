import Foundation
import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct FacilityReadingTests {
    @Test(
        "What is missing or wrong becomes a warning, and the facility is kept",
        arguments: [
            (CampusSample.json(), [DataWarning.Kind.empty]),
            (
                CampusSample.json(main: CampusSample.schedule([CampusSample.entry(7, "07:00:00", -1, "08:00:00")])),
                [.day, .day]
            ),
            (
                CampusSample.json(main: CampusSample.schedule([CampusSample.entry(0, "25:00:00", 0, "8pm")])),
                [.time, .time]
            ),
            (
                CampusSample.json(main: CampusSample.schedule([CampusSample.entry(0, "07:00", 0, "24:00:00")])),
                [.time, .time]
            ),
            (
                CampusSample.json(main: CampusSample.schedule([CampusSample.entry(2, "11:30:00", 3, "13:00:00")])),
                [.long]
            ),
            (
                CampusSample.json(main: CampusSample.schedule([CampusSample.entry(2, "22:00:00", 2, "02:00:00")])),
                [.wrap]
            ),
            (
                CampusSample.json(main: CampusSample.schedule([CampusSample.entry(2, "00:00:00", 2, "00:00:00")])),
                [.closed]
            ),
            (CampusSample.json(main: CampusSample.schedule(allDay: true), region: "mars"), [.unknown]),
            (CampusSample.json(main: CampusSample.schedule(allDay: true), region: "korea"), []),
            (CampusSample.json(main: CampusSample.schedule(allDay: true), coordinates: "[38.832,-77.306]"), [.place]),
            (CampusSample.json(main: CampusSample.schedule(allDay: true), coordinates: "[2.35,48.85]"), [.place]),
            (CampusSample.json(main: CampusSample.schedule(allDay: true), coordinates: "[-77.3]"), [.place]),
            (CampusSample.json(main: CampusSample.schedule(allDay: true), classifier: #"["s","h"]"#), [.characters]),
            (CampusSample.json(main: CampusSample.schedule(allDay: true), classifier: "\"other\""), [.unknown]),
            (
                CampusSample.json(
                    main: CampusSample.schedule(allDay: true),
                    specials: [CampusSample.schedule(allDay: true)]
                ), [.window, .window]
            ),
            (CampusSample.json("", main: CampusSample.schedule(allDay: true)), [.missing]),
            (CampusSample.json(main: "null"), [.missing]), (CampusSample.json(main: "[]"), [.missing]),
            (
                CampusSample.json(main: "\"x\"", specials: ["null", "7"]),
                [.missing, .empty, .window, .window, .empty, .window, .window]
            ),
        ] as [(String, [DataWarning.Kind])]
    )
    func warnings(json: String, kinds: [DataWarning.Kind]) throws {
        let facility = try CampusSample.facility(json: json)
        #expect(facility.warnings.map(\.kind) == kinds, "\(facility.warnings)")
        _ = try CampusSample.status(facility, "2026-09-16T12:00")
    }

    @Test("Version 2.1 has labels, a classifier of characters, and switches that nobody asks about")
    func oldVersion() throws {
        let facility = try CampusSample.facility(
            json: CampusSample.json(
                main: CampusSample.schedule(allDay: true),
                classifier: #"["s","h","o","p","m","a","s","o","n"]"#,
                more: #","facility_labels":["Donuts"]"#
            )
        )
        #expect(facility.labels == ["Donuts"] && facility.classifier == "shopmason")
        #expect(facility.warnings.map(\.kind) == [.characters])
    }

    @Test(
        "Anything at all is read without a trap",
        arguments: [
            "{}", "[]", "7", "null",
            #"{"slug":7,"main_schedule":{"open_times":[7,{},{"start_day":1e300,"end_day":0.5,"start_time":7}]},"special_schedules":{},"facility_location":{"coordinate_location":7}}"#,
        ]
    )
    func anything(json: String) throws {
        let value = try JSONReader.value(Array(json.utf8))
        if let facility = Facility(value) {
            #expect(!facility.warnings.isEmpty)
            _ = try CampusSample.status(facility, "2026-09-16T12:00")
            for client in HoursClient.allCases { _ = try CampusSample.week(client, facility) }
        } else {
            #expect(!value.isObject)
        }
        _ = CampusAlert(value)
    }

    @Test(
        "Dates say what a reader makes of them",
        arguments: [
            ("2026-09-14T00:00:00-04:00", "2026-09-14T04:00:00Z", true, false),
            ("2018-08-21T09:46:16.992915-04:00", "2018-08-21T13:46:16.992915Z", true, true),
            ("2026-09-14T04:00:00Z", "2026-09-14T04:00:00Z", true, false),
            ("2026-09-14T00:00:00", "2026-09-14T04:00:00Z", false, false),
            ("2026-09-14", "2026-09-14T04:00:00Z", false, false),
            ("", nil, false, false), ("3d", nil, false, false), ("soon", nil, false, false),
            ("2026-02-30T00:00:00Z", nil, true, false),
        ] as [(String, String?, Bool, Bool)]
    )
    func dates(text: String, moment: String?, hasOffset: Bool, hasFraction: Bool) throws {
        let date = WireDate(text)
        #expect(date.date == (try moment.map { try CampusSample.moment($0) }))
        #expect(date.hasOffset == hasOffset && date.hasFraction == hasFraction)
    }

    @Test("Alerts of both versions, shown strictly between their dates")
    func alerts() throws {
        let new =
            #"{"id":12,"urgency_tag":"minor","subject":"Thanksgiving hours","body":"b","url":"","start_datetime":"2026-11-21T00:00:00-05:00","end_datetime":"2026-11-26T00:00:00-05:00"}"#
        let old = #"{"id":1,"urgency_tag":"Info","message":"Snow","start_datetime":null,"end_datetime":"x"}"#
        let alert = try #require(CampusAlert(try JSONReader.value(Array(new.utf8))))
        #expect(alert.subject == "Thanksgiving hours" && alert.warnings.isEmpty && alert.tone == .warning)
        for (moment, isActive, isExpired) in [
            ("2026-11-21T00:00", false, false), ("2026-11-21T00:00:01", true, false), ("2026-11-26T00:00", false, true),
        ] {
            let now = try CampusSample.moment(moment)
            #expect(alert.isActive(at: now) == isActive && alert.isExpired(at: now) == isExpired)
        }
        let message = try #require(CampusAlert(try JSONReader.value(Array(old.utf8))))
        #expect(message.subject == "Snow")
        #expect(message.warnings.map(\.kind) == [.unknown, .unknown, .window, .window])
    }
}
