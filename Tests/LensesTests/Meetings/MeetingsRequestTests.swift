import Lenses
import Testing

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

    @Test("Parameters that others are about are not looked for among all of them each")
    func manyParameters() throws {
        let factor = try WorkGrowth.factor(of: 500) { count in
            let sizes = [String](repeating: "page_size=1", count: count)
            let others = (0..<count).map { "p\($0)" }
            return MeetingsRequest(target: "/entrypoint.php?query&" + (sizes + others).joined(separator: "&"))
        } work: { (request: MeetingsRequest) in
            #expect(request.words.hasPrefix("meetings, in pages of 1, in pages of 1"))
        }
        #expect(factor < WorkGrowth.limit, "\(factor)")
    }

    @Test("Of several parameters of one name the last counts")
    func last() {
        let request = MeetingsRequest(target: "/entrypoint.php?query&page_size=7&page_size=0&x")
        #expect(request.value("page_size") == "0" && request.has("x") && !request.has("y"))
        #expect(request.words == "how many meetings, numbers only, numbers only, x (unknown, ignored)")
    }
}
