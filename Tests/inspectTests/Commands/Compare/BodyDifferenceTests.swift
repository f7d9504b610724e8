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

    @Test("Wide and deep objects are gone through once")
    func large() {
        let members = (0..<20_000).map { "\"member\($0)\":\($0)" }
        let (one, other) = (members.joined(separator: ","), members.reversed().joined(separator: ","))
        #expect(BodyDifference(Array("{\(one)}".utf8), Array("{\(other)}".utf8)) == nil)
        let deep = String(repeating: #"{"a":"#, count: 60) + "1" + String(repeating: "}", count: 60)
        #expect(BodyDifference(Array(deep.utf8), Array("\(deep) ".utf8)) == nil)
    }
}
