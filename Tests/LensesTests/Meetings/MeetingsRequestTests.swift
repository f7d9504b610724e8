import Lenses
import Testing
import Traffic

@Suite("Requests of the meeting finder", .timeLimit(.minutes(15)))
struct MeetingsRequestTests {
    @Test(
        "A number that no weekday, type or time has is told as it is",
        arguments: [
            ("weekdays=1,7", "on Sunday or Saturday"), ("weekdays=0", "on day 0"), ("weekdays=8", "on day 8"),
            ("weekdays=9223372036854775807", "on day 9223372036854775807"),
            ("weekdays=-9223372036854775808", "on day -9223372036854775808"),
            ("type=-9223372036854775808", "type -9223372036854775808, which the server does not know"),
            ("start_time=-9223372036854775808", "starting at -9223372036854775808 or later"),
        ]
    )
    func numbers(query: String, words: String) {
        #expect(MeetingsRequest(target: "/entrypoint.php?query&\(query)").words == "meetings, \(words)")
    }
}
