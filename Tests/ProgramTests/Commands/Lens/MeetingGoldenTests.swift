import Support
import Testing

@Suite("What the command of the virtual meetings prints, byte for byte", .timeLimit(.minutes(15)))
struct MeetingGoldenTests {
    @Test("The JSON of a question stays as it is", arguments: MeetingGolden.all)
    func json(golden: PlaceGolden) async throws {
        let store = try await MeetingGolden.store()
        let all = golden.arguments + ["--json", "--store", store.path]
        let result = try await CommandLineTool.run(try Executable.inspect(), all)
        #expect(result.output == golden.json + "\n", "\(result.errors)")
    }

    @Test(
        "The lines of a list, of a slot and of a day's slots stay as they are",
        arguments: [
            (
                ["--hidden"],
                """
                5 meetings in #1 of api.example.test, 2025-11-20 09:02:03; seen at 2026-09-14 12:00:00 America/New_York
                1 of 5 meetings this client will hide: 1 unknown time_zone

                hidden or altered: 1
                   DAY  AT  NAME     KIND             ID     OWN TIME                WHY
                   ?    ?   Nowhere  virtual (video)  99/14  Sat 06:00 Mars/Olympus  hidden: unknown time_zone

                """
            ),
            (
                ["--day", "sat", "--time", "2300", "--attend", "7/7"],
                """
                5 meetings in #1 of api.example.test, 2025-11-20 09:02:03; seen at 2026-09-14 12:00:00 America/New_York
                1 of 5 meetings this client will hide: 1 unknown time_zone
                Not among them: 7/7

                Saturday 20:00, slot 3 of 3  ████████████████████
                The app goes to 06:00 instead (V2).
                   DAY  AT     NAME       KIND             ID     OWN TIME                    JOIN
                   Sat  20:00  Bell\\e[2J  virtual (video)  99/15  Sat 20:00 America/New_York  zoomus://zoom.us/join?confno=12345678915

                """
            ),
            (
                ["--day", "sat", "--slots"],
                """
                5 meetings in #1 of api.example.test, 2025-11-20 09:02:03; seen at 2026-09-14 12:00:00 America/New_York
                1 of 5 meetings this client will hide: 1 unknown time_zone

                Saturday: 3 time slots, 3 meetings
                06:00     1  ███████░░░░░░░░░░░░░
                07:30     1  █████████████░░░░░░░
                20:00     1  ████████████████████

                """
            ),
            (
                ["--limit", "2"],
                """
                5 meetings in #1 of api.example.test, 2025-11-20 09:02:03; seen at 2026-09-14 12:00:00 America/New_York
                1 of 5 meetings this client will hide: 1 unknown time_zone

                by next start: 4
                   DAY  AT     NAME        KIND             ID     OWN TIME                    JOIN
                   Sat  06:00  Early Owls  virtual (video)  99/13  Sat 06:00 America/New_York  zoomus://zoom.us/join?confno=12345678913
                   Sat  07:30  Late Owls   virtual (video)  99/11  Sat 23:30 Pacific/Auckland  zoomus://zoom.us/join?confno=12345678911
                … 2 more: --limit

                """
            ),
        ] as [([String], String)]
    )
    func lines(arguments: [String], output: String) async throws {
        let store = try await MeetingGolden.store()
        let seen = ["--tz", "America/New_York", "--at", "2026-09-14T12:00", "--store", store.path]
        let result = try await CommandLineTool.run(try Executable.inspect(), ["meetings"] + arguments + seen)
        #expect(result.output == output, "\(result.errors)")
    }
}
