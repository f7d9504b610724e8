import Support
import Testing

@Suite("What the commands of What's Open print, byte for byte", .timeLimit(.minutes(15)))
struct CampusGoldenTests {
    @Test("The JSON of a question stays as it is", arguments: CampusGolden.all)
    func json(golden: PlaceGolden) async throws {
        let store = try await CampusGolden.store()
        let all = golden.arguments + ["--json", "--store", store.path]
        let result = try await CommandLineTool.run(try Executable.inspect(), all)
        #expect(result.output == golden.json + "\n", "\(result.errors)")
    }

    @Test("The lines of a listing, of one facility and of alerts stay as they are")
    func lines() async throws {
        let store = try await CampusGolden.store()
        let at = "2026-09-19T01:30"
        let facilities = try await store.inspect("facilities", "--at", at, "--compare", "ios,web")
        #expect(
            facilities.output == """
                2 facilities, 0 open at Sat 2026-09-19 01:30 EDT
                from exchange 1 of localhost, last updated Fri 2026-09-18 12:02 EDT; \
                1 of them from exchange 2 of localhost, last updated Fri 2026-09-18 12:02:01 EDT
                FACILITY    NOW     CLOSES  OPENS NEXT  IPHONE APP  WEB PAGE  SCHEDULE  CAMPUS     WARNINGS
                Den \\e[31m  closed  –       –           closed      closed    Fall      fairfax    \
                schedule “Fall” has no opening times: closed as long as it is in force
                Tea House   closed  –       08:00       closed      closed    Fall      arlington\u{20}\u{20}

                """,
            "\(facilities.errors)"
        )
        let tea = try await store.inspect("facilities", "tea", "--at", at)
        #expect(
            tea.output == """
                Tea House
                  now         closed, opens 08:00
                  open today  yes
                  opens next  Sat 2026-09-19 08:00 EDT
                  slug        tea
                  at          Sat 2026-09-19 01:30 EDT
                  category    Café
                  location    Hall
                  address     4 River Wy
                  campus      arlington
                  tags        tea

                from exchange 2 of localhost, last updated Fri 2026-09-18 12:02:01 EDT

                """,
            "\(tea.errors)"
        )
        let alerts = try await store.inspect("facilities", "alerts", "--at", at)
        #expect(
            alerts.output == """
                1 of 2 alerts, 1 shown at Sat 2026-09-19 01:30 EDT
                from exchange 3 of localhost, last updated Fri 2026-09-18 12:02:02 EDT
                URGENCY  SUBJECT  NOW    FROM                      TO                        BODY
                major    Snow     shown  Fri 2026-09-18 00:00 EDT  Sun 2026-09-20 00:00 EDT  b

                """,
            "\(alerts.errors)"
        )
    }
}
