import Foundation
import Lenses
import NIOCore
import Support
import Testing
import Traffic

/// The local facility API's campus, which has every odd thing that the real data has, read from the wire.
@Suite(.timeLimit(.minutes(15))) struct SeededCampusTests {
    /// The body of the facility list of a stand-in server that believes it is a Monday afternoon in September.
    private func body(_ options: String...) async throws -> [UInt8] {
        let server = try RunningProcess(
            try Executable.inspect(),
            ["facility-api", "--port", "0", "--now", "2026-09-14T14:02-04:00"] + options
        )
        let line = try await server.line(containing: "listens at")
        let address = try #require(line.firstMatch(of: /http:\/\/localhost:\d+/)).output
        let curl = try await CommandLineTool.run(
            "curl",
            ["-sS", "--noproxy", "*", "\(address)/whatsopen/v2/facilities/?format=json"]
        )
        #expect(try await server.stop().status == 0)
        return curl.outputBytes
    }

    private func sample(_ body: [UInt8]) -> Sample {
        Sample(
            1,
            "GET",
            "/whatsopen/v2/facilities/?format=json",
            fields: "Content-Type: application/json\r\nDate: Mon, 14 Sep 2026 18:02:00 GMT\r\n",
            responseBody: body
        )
    }

    /// What a row of a listing is held to.
    private struct Expected {
        let slug: String
        let isOpen: Bool
        let closes: String?
        let opensNext: String?
        let warning: String?
        /// Minutes that the iPhone app is wrong in the week; -1 where it crashes.
        let wrong: Int

        init(
            _ slug: String,
            _ closes: String?,
            _ opensNext: String?,
            _ wrong: Int,
            warning: String? = nil,
            isOpen: Bool? = nil
        ) {
            (self.slug, self.closes, self.opensNext, self.warning, self.wrong) = (
                slug, closes, opensNext, warning, wrong
            )
            self.isOpen = isOpen ?? (closes != nil)
        }
    }

    /// The edge cases A to P, in their order, and R.
    private static let campus = [
        Expected("rivanna-kitchen", "15T02:00", "15T07:00", 1_050), Expected("late-slice", "14T22:00", "15T11:00", 125),
        Expected("quad-market", nil, nil, 0, isOpen: true),
        Expected("gold-leaf-grill", nil, "15T10:30", 6, warning: "closed all day"),
        Expected("massanutten-library", "20T00:00", "20T09:00", 900),
        Expected("rappahannock-tacos", "14T20:00", "15T11:30", 1_353, warning: "open for 25.5 hours"),
        Expected("night-owl-diner", nil, nil, 0, isOpen: true), Expected("skyline-fitness", "14T23:59", "15T06:00", 7),
        Expected("founders-table", nil, "14T17:00", 605),
        Expected("moonlight-noodles", nil, "14T22:00", 840, warning: "ends before it starts"),
        Expected("cedar-meadow-farm-stand", nil, nil, 0, warning: "has no opening times"),
        Expected("harvest-bowl", "14T21:00", "15T10:00", -1, warning: "has no valid_start"),
        Expected("dukes-donuts", "14T19:00", "15T06:30", 7), Expected("registrar-window", "14T17:00", "15T08:30", 5),
        Expected("parking-services", "14T17:00", "15T08:30", 5), Expected("bull-run-brews", "14T18:00", "15T07:30", 5),
        Expected("tower-laundry", "14T22:00", "15T00:00", 480),
    ]

    @Test(
        "Every edge case of the seeded campus is open or closed as it should be, and the iPhone app is wrong by so much"
    )
    func edgeCases() async throws {
        let store = try CapturedStore()
        try await store.record(sample(try await body()))
        let result = try await store.inspect(
            "facilities",
            "--json",
            "--at",
            "2026-09-14T14:02",
            "--compare",
            "ios",
            "--week"
        )
        let root = try #require(try JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [String: Any])
        let list = try #require(root["facilities"] as? [[String: Any]])
        let rows = Dictionary(list.map { ($0["slug"] as? String ?? "", $0) }) { first, _ in first }
        for expected in Self.campus {
            let row = try #require(rows[expected.slug], "\(expected.slug)")
            let date = { (text: String?) in text.map { "2026-09-\($0):00-04:00" } }
            #expect(row["openNow"] as? Bool == expected.isOpen, "\(expected.slug)")
            #expect(row["closes"] as? String == date(expected.closes), "\(expected.slug)")
            #expect(row["opensNext"] as? String == date(expected.opensNext), "\(expected.slug)")
            let warnings = (row["warnings"] as? [String])?.joined(separator: "\n") ?? ""
            #expect(expected.warning.map(warnings.contains) ?? warnings.isEmpty, "\(expected.slug): \(warnings)")
            let week = (row["compare"] as? [[String: Any]])?.first?["week"] as? [String: Any]
            if expected.wrong < 0 {
                #expect(week?["crash"] as? String == "T10", "\(expected.slug)")
            } else {
                #expect(week?["minutesWrong"] as? Int == expected.wrong, "\(expected.slug)")
            }
        }
    }

    @Test("The campus brings out the contract's breaches and the clients' bugs, each by its name")
    func findings() async throws {
        let rules = { (body: [UInt8]) -> Set<String> in
            let capture = Capture(exchange: self.sample(body).exchange, response: CapturedBody(bytes: body))
            return Set(WhatsOpenLens().findings(capture).map(\.rule))
        }
        let new = rules(try await body())
        #expect(
            new == [
                "WO-5", "WO-6", "WO-10", "WO-11", "WO-T1", "WO-T2", "WO-T3", "WO-T4", "WO-T5", "WO-T6", "WO-T8",
                "WO-T9",
                "WO-T10",
                "WO-T12", "WO-Sv1", "WO-Sv2", "WO-A2", "WO-quote", "WO-filters",
            ]
        )
        let old = rules(try await body("--api-version", "2.1"))
        #expect(old == new.union(["WO-7", "WO-labels"]))
    }
}
