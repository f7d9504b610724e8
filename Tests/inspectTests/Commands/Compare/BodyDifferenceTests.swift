import Testing

@testable import inspect

/// Where the body of a request differs from a recorded one.
@Suite(.timeLimit(.minutes(15))) struct BodyDifferenceTests {
    @Test("Members count by their names, the last of a name, and the first place that differs is told")
    func places() {
        func difference(_ here: String, _ recorded: String) -> BodyDifference? {
            BodyDifference(Array(here.utf8), Array(recorded.utf8))
        }
        #expect(difference(#"{"a":1,"b":2}"#, #"{ "b":2, "a":1 }"#) == nil)
        #expect(difference(#"{"a":0,"a":1}"#, #"{"a":1}"#) == nil)
        #expect(difference(#"{"a":1}"#, #"{"a":2}"#)?.here == "/a 1")
        #expect(difference(#"{"a":1}"#, #"{"a":1,"b":2}"#)?.here == "no /b")
        #expect(difference(#"{"a":1,"b":2}"#, #"{"a":1}"#)?.recorded == "no /b")
    }

    @Test(
        "Numbers count by their digits, and texts by their bytes",
        arguments: [
            ("9007199254740993", "9007199254740992", "/a 9007199254740993"), ("1e400", "1e500", "/a 1e400"),
            ("\"\u{E9}\"", "\"e\u{301}\"", "/a \"\u{E9}\""), (#""\ud800""#, #""\ud801""#, #"/a "\ud800""#),
            ("1.0", "1", nil), (#""\u00e9""#, "\"\u{E9}\"", nil), ("[1e2]", "[100]", nil),
        ] as [(String, String, String?)]
    )
    func exact(here: String, recorded: String, told: String?) {
        let found = BodyDifference(Array("{\"a\":\(here)}".utf8), Array("{\"a\":\(recorded)}".utf8))
        #expect(found?.here == told)
        let names = BodyDifference(Array("{\"\u{E9}\":1}".utf8), Array("{\"e\u{301}\":1}".utf8))
        #expect(names?.here == "/\u{E9} 1" && names?.recorded == "no /\u{E9}")
    }

    @Test("Wide and deep objects are gone through once")
    func large() {
        let members = (0..<20_000).map { "\"member\($0)\":\($0)" }
        let (one, other) = (members.joined(separator: ","), members.reversed().joined(separator: ","))
        #expect(BodyDifference(Array("{\(one)}".utf8), Array("{\(other)}".utf8)) == nil)
        let deep = String(repeating: #"{"a":"#, count: 60) + "1" + String(repeating: "}", count: 60)
        #expect(BodyDifference(Array(deep.utf8), Array("\(deep) ".utf8)) == nil)
    }
}
