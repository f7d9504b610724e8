import Foundation
import Lenses
import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15))) struct MenuCommandTests {
    /// An answer with one day, Friday 29 May 2015: breakfast at De Neve.
    private static let answer: [UInt8] = {
        let names = [
            "Calories", "From Fat", "Total Fat", "Saturated Fat", "Trans Fat", "Cholesterol", "Sodium",
            "Total Carbohydrates", "Dietary Fiber", "Sugars", "Protein", "Vitamin A", "Vitamin C", "Calcium", "Iron",
        ]
        let facts = names.map { #""\#($0)":"\#($0 == "Calories" ? "678" : "1")""# }.joined(separator: ",")
        let food = #""name":"Oatmeal\u001b[31m","recipe":"059101","type":"Vegan""#
        let payload =
            #"{"date":"5/29/15","meals":{"Breakfast":{"halls":{"De Neve":{"hall":"De Neve","openHour":7,"openMin":0,"#
            + #""closeHour":11,"closeMin":0,"sections":[{"name":"The Kitchen","foods":[{\#(food)}]}]}}}},"#
            + #""foods":{"059101":{"info":{\#(food),\#(facts)},"places":{"Breakfast":{"De Neve":true}}}}}"#
        let data = Data(payload.utf8).base64EncodedString()
        return Array(
            (#"{"records":[{"recordName":"5/29/15","recordType":"DiningDay","fields":{"Day":{"value":1432882800000},"#
                + #""Data":{"value":"\#(data)","type":"BYTES"}}}]}"#).utf8
        )
    }()

    private func store() async throws -> CapturedStore {
        let store = try CapturedStore()
        try await store.record(
            Sample(
                1,
                "POST",
                "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records/query",
                host: "127.0.0.1",
                fields: "Content-Type: application/json\r\n",
                responseBody: Self.answer
            )
        )
        try await store.record(Sample(2, "GET", "/other"))
        return store
    }

    @Test("menus prints day, meal, hall with its hours, section and food, and marks favourites")
    func menus() async throws {
        let store = try await store()
        let shown = try await store.inspect("menus", "--at", "2015-05-29T08:00", "--favourite", "059101")
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(
            shown.output == """
                Fri 2015-05-29, today  from #1
                  Breakfast
                    De Neve  07:00–11:00  open now
                      The Kitchen
                        ★ Oatmeal\\e[31m  Vegan  059101

                ★ Oatmeal\\e[31m (059101): Fri 2015-05-29 Breakfast: De Neve

                """
        )
        let none = try await store.inspect("menus", "--at", "2015-05-30T08:00")
        #expect(none.status == 0)
        #expect(
            none.output
                == "No menu of Sat 2015-05-30 was captured; there are menus of Fri 2015-05-29 (--day all).\n"
        )
        let closed = try await store.inspect("menus", "--at", "2015-05-29T11:00", "--open-now")
        #expect(closed.output == "Nothing is open at Fri 2015-05-29 11:00 PDT.\n")
        #expect(try await store.inspect("menus", "--from-capture", "1").output.contains("Oatmeal"))
        #expect(try await store.inspect("menus", "--day", "all", "host:127.0.0.1").output.contains("Oatmeal"))
        #expect(
            try await store.inspect("menus", "--day", "all", "host:other").output == "No captured answer holds menus.\n"
        )
    }

    @Test("The stand-in's menus break no rule that the app would be hurt by, and are listed")
    func standIn() async throws {
        let api = try RunningProcess(try Executable.inspect(), ["facility-api", "--now", "2026-11-20T20:00Z"])
        let address = try #require(
            try await api.line(containing: "listens at").firstMatch(of: /http:\/\/localhost:\d+/)
        ).output
        let query = #"{"query":{"recordType":"DiningDay"}}"#
        let path = "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records/query"
        let curl = try await CommandLineTool.run("curl", ["-sS", "\(address)\(path)?ckAPIToken=x", "-d", query])
        #expect(try await api.stop().status == 0)
        let sample = Sample(
            1,
            "POST",
            path,
            fields: "Content-Type: application/json\r\n",
            responseBody: curl.outputBytes
        )
        let capture = Capture(exchange: sample.exchange, response: CapturedBody(bytes: curl.outputBytes))
        let lens = DiningMenuLens()
        #expect(Set(lens.findings(capture).map(\.rule)) == ["BL-B1", "BL-B3"])
        #expect(lens.findings(capture).allSatisfy { $0.severity == .notice })
        #expect(lens.view(capture).failure == nil)
        let store = try CapturedStore()
        try await store.record(sample)
        let shown = try await store.inspect("menus", "--at", "2026-11-20T18:00", "--open-now", "--type", "vegan")
        #expect(shown.output.hasPrefix("Fri 2026-11-20, today  from #1\n  Dinner\n"), "\(shown.output)\(shown.errors)")
        #expect(!shown.output.contains("Vegetarian") && shown.output.contains("  Vegan  "))
    }

    @Test("menus as JSON has opening times with the campus's offset")
    func json() async throws {
        let result = try await store().inspect("menus", "--at", "2015-05-29T11:30", "--json")
        let root = try #require(try JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [String: Any])
        #expect(root["at"] as? String == "2015-05-29T11:30:00-07:00")
        let day = try #require((root["days"] as? [[String: Any]])?.first)
        let meal = try #require((day["meals"] as? [[String: Any]])?.first)
        let hall = try #require((meal["halls"] as? [[String: Any]])?.first)
        #expect(day["date"] as? String == "2015-05-29" && hall["openNow"] as? Bool == false)
        #expect(hall["closes"] as? String == "2015-05-29T11:00:00-07:00")
    }

    @Test("food prints what is true, and what the app shows where that differs")
    func food() async throws {
        let store = try await store()
        let shown = try await store.inspect("menus", "food", "oatmeal", "--servings", "3")
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(shown.output.contains("\nCalories             2034 cal     101 %        2034 cal, 99 %\n"))
        #expect(shown.output.contains("\nProtein              3 g          –\n"))
        #expect(shown.output.hasSuffix("Fri 2015-05-29  Breakfast: De Neve\n"))
        let json = try await store.inspect("menus", "food", "059101", "--servings", "3", "--json").outputBytes
        let root = try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
        let calories = try #require((root["nutrition"] as? [[String: Any]])?.first)
        #expect(calories["percent"] as? Int == 101 && calories["appPercent"] as? Int == 99)
    }

    @Test(
        "swipes counts as the reference does",
        arguments: [
            (["--plan", "BP19", "--week", "0", "--day", "mon", "--meal", "breakfast"], "208 swipes"),
            (["--plan", "bp19", "--week", "0", "--day", "0", "--meal", "lunch"], "207 swipes"),
            (["--plan", "BP19", "--week", "10", "--day", "Sunday", "--meal", "dinner"], "0 swipes"),
            (["--plan", "Gold19", "--week", "0", "--day", "mon", "--meal", "breakfast"], "18 swipes"),
            (["--plan", "BP19", "--at", "2015-05-29T12:30"], "43 swipes"),
        ]
    )
    func swipes(arguments: [String], start: String) async throws {
        let result = try await CommandLineTool.run(try Executable.inspect(), ["menus", "swipes"] + arguments)
        #expect(result.status == 0 && result.output.hasPrefix(start), "\(result.output)\(result.errors)")
    }

    @Test(
        "A mistake is one line that names what was expected, with status 2",
        arguments: [
            (["menus", "--day", "someday"], "--day someday: expected today"),
            (["menus", "--type", "meat"], "'meat' is invalid"), (["menus", "--from-capture", "0"], "1 or more"),
            (["menus", "--from-capture", "2"], "exchange 2 is no exchange with CloudKit's web services"),
            (["menus", "--hall", "Feest"], "--hall Feest: nothing captured has it; there are De Neve"),
            (["menus", "--meal", "tea"], "--meal tea: nothing captured has it; there are Breakfast"),
            (["menus", "nokey:x"], "nokey"), (["menus", "--at", "never"], "--at never"),
            (["menus", "food", "taco"], "food “taco”: no captured menu has it"),
            (["menus", "food", "059101", "--servings", "17"], "expected 0 to 16"),
        ] as [([String], String)]
    )
    func mistakes(arguments: [String], message: String) async throws {
        let store = try await store()
        let result = try await CommandLineTool.run(try Executable.inspect(), arguments + ["--store", store.path])
        #expect(result.status == 2 && result.errors.contains(message), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count <= 3)
    }

    @Test(
        "swipes says what a plan, a week or a day may be",
        arguments: [
            (["--plan", "BP20"], "expected one of BP19, BP14, Gold19, Gold14, Cub11"),
            (["--plan", "BP19", "--week", "11"], "expected 0 to 10"),
            (["--plan", "BP19", "--day", "xx"], "expected a weekday"),
            (["--plan", "BP19", "--meal", "tea"], "expected breakfast"),
            (["--plan", "BP19", "--at", "2015-07-04"], "Sat 2015-07-04 is in no quarter"),
        ]
    )
    func badSwipes(arguments: [String], message: String) async throws {
        let result = try await CommandLineTool.run(try Executable.inspect(), ["menus", "swipes"] + arguments)
        #expect(result.status == 2 && result.errors.contains(message), "\(result.errors)")
    }
}
