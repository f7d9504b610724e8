import Foundation
import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct DiningCheckTests {
    private static let data = "/records/0/fields/Data/value"

    /// Findings of an answer with one record, without the notice that every American date is worth.
    private func findings(_ payload: String) -> [CheckFinding] {
        findings(CloudKitSample.capture(response: CloudKitSample.answer(CloudKitSample.record(payload))))
    }

    private func findings(_ capture: Capture) -> [CheckFinding] {
        DiningMenuLens().findings(capture).filter { $0.rule != "BL-B1" }
    }

    @Test("The reference's own record breaks no rule but that its date is American")
    func clean() {
        let body = CloudKitSample.answer(CloudKitSample.record(CloudKitSample.payload()))
        let found = DiningMenuLens().findings(CloudKitSample.capture(response: body))
        #expect(found.map(\.rule) == ["BL-B1"])
        #expect(found.first?.severity == .notice && found.first?.pointer == Self.data)
    }

    @Test(
        "Each rule is broken by its own kind of payload, and the consequence is told",
        arguments: [
            (#"{"date":"5/29/15"}"#, ["BL-1"], "STOPPED UNSAFE RECORD"),
            (#"{"date":5,"meals":{},"foods":{}}"#, ["BL-1"], "STOPPED UNSAFE RECORD"),
            (#"{"date":"5/29/15","meals":{},"foods":[]}"#, ["BL-1"], "STOPPED UNSAFE RECORD"),
            ("[]", ["BL-1"], "STOPPED UNSAFE RECORD"), ("{", ["BL-1"], "shows no menu"),
            (CloudKitSample.payload(date: "5/30/15"), ["BL-2"], "another day"),
            (CloudKitSample.payload(date: "2015-05-29"), ["BL-2"], "The app crashes"),
            (CloudKitSample.payload(meal: "Supper"), ["BL-3", "BL-B2"], "unknown meal “Supper”"),
            (CloudKitSample.payload(hall: "Sproul"), ["BL-3", "BL-B2"], "The app crashes: unknown hall “Sproul”."),
            (CloudKitSample.payload(type: "Halal"), ["BL-3", "BL-B2"], "unknown food type “Halal”"),
            (CloudKitSample.payload(recipe: "000001"), ["BL-4"], "without nutrition"),
            (CloudKitSample.payload(place: "Covel"), ["BL-4"], "favourites and reminders"),
            (CloudKitSample.payload(nutrients: Array(CloudKitSample.oatmeal.dropLast())), ["BL-5"], "shows 0"),
            (
                CloudKitSample.payload(nutrients: CloudKitSample.oatmeal.dropLast() + [("Iron", "n/a")]), ["BL-5"],
                "shows 0"
            ),
            (
                CloudKitSample.payload(nutrients: CloudKitSample.oatmeal.dropLast() + [("Iron", "<1g")]),
                ["BL-5", "BL-B6"], "The app's label says 0 % and the circle 0 % for Iron “<1g”."
            ),
            (
                CloudKitSample.payload(hours: #""openHour":11,"openMin":0,"closeHour":7,"closeMin":0"#), ["BL-6"],
                "never shows the hall as open"
            ),
            (CloudKitSample.payload(hours: #""openHour":"x""#), ["BL-6"], "never shows the hall as open"),
        ] as [(String, [String], String)]
    )
    func rules(payload: String, rules: [String], consequence: String) {
        let found = findings(payload)
        #expect(Set(found.map(\.rule)) == Set(rules), "\(found)")
        #expect(found.contains { $0.consequence.contains(consequence) }, "\(found)")
        #expect(found.allSatisfy { $0.pointer == Self.data && $0.side == .response })
    }

    @Test(
        "A Data field that is missing or no base64 is told",
        arguments: [#"{"value":"%%%","type":"BYTES"}"#, "7", "null"]
    )
    func data(field: String) {
        let record = CloudKitSample.record(data: field)
        let found = findings(CloudKitSample.capture(response: CloudKitSample.answer(record)))
        #expect(found.map(\.rule) == ["BL-1"])
    }

    @Test("Where inside the payload a finding is, its message says")
    func place() {
        let found = findings(CloudKitSample.payload(hall: "Sproul/Hall"))
        let place = "(payload: /meals/Breakfast/halls/Sproul~1Hall)."
        #expect(found.first?.message == "“Sproul/Hall” is no hall that the app knows \(place)")
    }

    @Test("Records together: a second one of a day, more than came, a year the app has no quarters of, another type")
    func together() {
        let day = CloudKitSample.record(CloudKitSample.payload())
        let later = CloudKitSample.record(
            CloudKitSample.payload(date: "11/20/26"),
            name: "11/20/26",
            day: 1_795_161_600_000
        )
        let quick = CloudKitSample.record(CloudKitSample.payload(), name: "quick", day: nil)
        let body = CloudKitSample.answer(day, day, later, quick, more: #","continuationMarker":"x""#)
        let query = #"{"query":{"recordType":"QuickMenu"}}"#
        let found = findings(CloudKitSample.capture(request: query, response: body))
        #expect(
            found.map { "\($0.rule) \($0.side) \($0.pointer)" } == [
                "BL-B4 request /query/recordType", "BL-B4 response /records/3/recordType", "BL-B5 response /records/1",
                "BL-B3 response /records/2/fields/Day/value", "BL-7 response /continuationMarker",
            ]
        )
    }

    @Test("A record that is written is held to the rules too")
    func written() {
        let record = CloudKitSample.record(CloudKitSample.payload(hall: "Sproul"))
        let found = findings(
            CloudKitSample.capture(
                request: #"{"operations":[{"operationType":"create","record":\#(record)}]}"#,
                response: #"{"records":[]}"#,
                target: "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records/modify"
            )
        )
        #expect(Set(found.map(\.rule)) == ["BL-3", "BL-B2"])
        #expect(found.allSatisfy { $0.side == .request && $0.pointer == "/operations/0/record/fields/Data/value" })
    }

    @Test("Of a rule that breaks everywhere the first 50 findings are told, and how many more there are")
    func many() {
        let foods = (0..<120).map { #"{"name":"F","type":"","recipe":"r\#($0)"}"# }.joined(separator: ",")
        let hall =
            #"{"hall":"Covel","openHour":7,"openMin":0,"closeHour":9,"closeMin":0,"sections":[{"name":"S","foods":[\#(foods)]}]}"#
        let found = findings(#"{"date":"5/29/15","meals":{"Lunch":{"halls":{"Covel":\#(hall)}}},"foods":{}}"#)
        #expect(found.count == 50 && found.last?.message.hasSuffix("; and 70 more like it.") == true)
    }

    @Test("Ids are the reference's, and each finding is of a rule that is listed")
    func ids() {
        #expect(
            DiningMenuLens().rules.map(\.id) == (1...7).map { "BL-\($0)" } + (1...6).map { "BL-B\($0)" }
        )
    }
}
