import Testing
import Traffic

@testable import Lenses

@Suite(.timeLimit(.minutes(15)))
struct BodyTextTests {
    @Test(
        "A mark is a name in quotes, wherever it stands",
        arguments: [
            (#"{"meta":{},"meetings":[]}"#, "meetings", true), (#"{"meta":{},"meetings":[]}"#, "meeting", false),
            (#"{"a":"meetings"}"#, "meetings", true), (#"{"a":"the meetings"}"#, "meetings", false),
            (#"{"a\"id":1}"#, "id", true), (#"{"id"#, "id", false), (#""""#, "", true), ("", "id", false),
            (#"{"recordName":1}"#, "recordName", true), (#"{"recordName":1}"#, "recordType", false),
            (#"{"rXcordName":1}"#, "recordName", false), (#"{"Café":1}"#, "Café", true),
        ]
    )
    func mark(body: String, name: String, stands: Bool) {
        #expect(BodyText(Array(body.utf8)).holds(BodyMark(member: name)) == stands)
        #expect(body.contains("\"\(name)\"") == stands)
    }

    @Test(
        "The texts of a member are read up to their quotes, and what is cut off counts",
        arguments: [
            (#"{"query":"a"}"#, ["a"]), ("[{\"query\" :\n \"a b\"},{\"query\":\"c\"}]", ["a b", "c"]),
            (#"{"query":"a\nb\t\"c\""}"#, ["a\nb \\\"c\\\""]), (#"{"query":{"query":1}}"#, []),
            (#"{"query":"cut"#, ["cut"]),
            (#"{"query":"cut\"#, ["cut\\"]), (#"{"x":"query"}"#, []), (#"{"query""#, []), (#"{"query":"#, []),
        ]
    )
    func texts(body: String, texts: [String]) {
        #expect(BodyText(Array(body.utf8)).texts(of: BodyMark(member: "query")) == texts)
    }

    @Test("What a body begins with is told behind blanks and a byte order mark")
    func beginning() {
        #expect(BodyText(Array(" \r\n\t{}".utf8)).isObject)
        #expect(BodyText([0xEF, 0xBB, 0xBF] + Array("[1]".utf8)).isArray)
        #expect(BodyText([0x20]).first == nil)
    }
}
