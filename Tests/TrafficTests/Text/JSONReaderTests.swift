import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct JSONReaderTests {
    private func text(_ value: JSONValue) -> String {
        var json = JSONWriter()
        json.value(nil, value)
        return String(decoding: json.take(), as: UTF8.self)
    }

    @Test(
        "A text comes back as it was read",
        arguments: [
            "{}", "[]", "null", "true", "false", "\"\"", "0", "-1", "123456789012345", "1234567890123456", "0.5",
            "-2.25",
            #"{"a":[1,{"b":null}],"a":"twice"}"#, #"["\"\\\n\t","Café","🫖"]"#,
            #"{"a_name_of_seventeen":1,"another_name_that_is_long":{"a_name_of_seventeen":2}}"#,
        ]
    )
    func reads(json: String) throws {
        #expect(text(try JSONReader.value(Array(" \(json)\n".utf8))) == json)
    }

    @Test(
        "Numbers are read exactly, short ones and long ones alike",
        arguments: [
            ("1e3", 1000), ("1E-2", 0.01), ("-0", -0.0), ("999999999999999", 999_999_999_999_999),
            ("9007199254740993", 9_007_199_254_740_992), ("0.1", 0.1),
            ("123456789012345678901234567890", 1.2345678901234568e29),
            ("12345678901234.5", 12_345_678_901_234.5), ("1234567890123456.5", 1_234_567_890_123_456.5),
            ("-123456789012345e1", -1_234_567_890_123_450),
        ] as [(String, Double)]
    )
    func numbers(json: String, number: Double) throws {
        let read = try #require(try JSONReader.value(Array(json.utf8)).number)
        #expect(read == number && read.sign == number.sign)
    }

    @Test(
        "What is no JSON is said with its place",
        arguments: [
            ("", "ends before it is whole"), ("{\"a\"", "ends before it is whole"), ("[1,", "ends before it is whole"),
            ("\"a", "ends before it is whole"),
            ("[1 2]", "is no JSON at its byte 3 (2])"), ("{\"a\":}", "is no JSON at its byte 5 (})"),
            ("1 2", "is no JSON at its byte 2"),
            ("-", "ends before it is whole"), ("[-]", "is no JSON at its byte 2 (])"),
            ("{a:1}", "is no JSON at its byte 1 (a:1})"), ("tru", "is no JSON at its byte 0 (tru)"),
            (String(repeating: "[", count: 300), "has values more than 200 levels deep"),
        ]
    )
    func refuses(json: String, words: String) {
        let problem = #expect(throws: JSONReader.Problem.self) { _ = try JSONReader.value(Array(json.utf8)) }
        #expect(problem?.description == words)
    }

    @Test("The elements of one list are given one by one, and the rest is read as ever")
    func each() throws {
        var given: [String] = []
        let json = #"{"meta":{"list":[0]},"list":[1,{"list":[2]},[]],"end":true}"#
        let value = try JSONReader.value(Array(json.utf8), each: "list") { given.append(text($0)) }
        #expect(given == ["1", #"{"list":[2]}"#, "[]"])
        #expect(text(value) == #"{"meta":{"list":[0]},"list":[],"end":true}"#)
        for other in [#"{"list":{"a":1}}"#, "[1,2]", #"{"list":[]}"#, "7"] {
            let read = try JSONReader.value(Array(other.utf8), each: "list") { _ in
                Issue.record("nothing is to be given")
            }
            #expect(text(read) == other)
        }
        #expect(throws: JSONReader.Problem.self) {
            try JSONReader.value(Array(#"{"list":[1,2"#.utf8), each: "list") { _ in }
        }
    }

    @Test(
        "A whole number is one that has no fraction",
        arguments: [("2", 2), ("-3.0", -3), ("1.5", nil), ("1e3", 1000), ("1e300", nil), ("\"2\"", nil)]
            as [(String, Int64?)]
    )
    func whole(json: String, number: Int64?) throws {
        #expect(try JSONReader.value(Array(json.utf8)).integer == number)
    }

    @Test("Names that share their length and ends are told apart")
    func names() throws {
        let names = ["a_name_with_one_middle_z", "a_name_with_two_middle_z", "a_name_with_one_middle_z"]
        let json = "[" + names.map { "{\"\($0)\":1}" }.joined(separator: ",") + "]"
        #expect(text(try JSONReader.value(Array(json.utf8))) == json)
    }

    @Test(
        "Of a text with more values than are wanted nothing is read",
        arguments: [("[1,[2],{\"a\":3}]", 6), ("7", 1), ("{}", 1), ("{\"a\":{\"b\":[]}}", 3)]
    )
    func countsValues(json: String, count: Int) throws {
        #expect(try text(JSONReader.value(Array(json.utf8), valuesLimit: count)) == json)
        let problem = #expect(throws: JSONReader.Problem.self) {
            try JSONReader.value(Array(json.utf8), valuesLimit: count - 1)
        }
        #expect(problem?.description == "has more values than are read")
    }
}
