import Archive
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct CookieTests {
    @Test("Cookies of a request are read one by one, odd ones too")
    func readsSent() {
        let cookies = Cookie.sent("a=1; b=x=y;c = 2 ; ; lone")
        #expect(cookies.map(\.name) == ["a", "b", "c", ""])
        #expect(cookies.map(\.value) == ["1", "x=y", "2", "lone"])
    }

    @Test(
        "Dates in every form that servers send are read as browsers read them",
        arguments: [
            "Wed, 21 Oct 2026 07:28:00 GMT", "Wednesday, 21-Oct-26 07:28:00 GMT", "Wed Oct 21 07:28:00 2026",
            "21 oct 2026 7:28:0",
        ]
    )
    func readsDates(_ date: String) throws {
        let cookie = try #require(Cookie.set("a=1; expires=\(date)"))
        #expect(cookie.expires.map { Timestamp.text(microseconds: $0) } == "2026-10-21T07:28:00.000Z")
    }

    @Test(
        "What is no date is none",
        arguments: ["soon", "32 Oct 2026 07:28:00", "21 Oct 2026 25:00:00", "21 Oct 1500 07:28:00", "Oct 2026", ""]
    )
    func refusesDates(_ date: String) {
        #expect(Cookie.set("a=1; Expires=\(date)")?.expires == nil)
    }

    @Test("A Set-Cookie without a name sets nothing")
    func refusesNameless() {
        #expect(Cookie.set("lone") == nil)
        #expect(Cookie.set("=x") == nil)
    }
}
