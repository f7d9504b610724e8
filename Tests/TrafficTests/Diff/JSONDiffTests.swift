import Testing
import Traffic

@Suite("JSON is compared by what it says", .timeLimit(.minutes(15)))
struct JSONDiffTests {
    /// What differs between two exchanges that were answered with these texts.
    private func found(_ left: String, _ right: String, ignoring noise: [String] = []) throws -> CaptureDifference {
        func answered(_ text: String) -> SampleExchange {
            var sample = SampleExchange(
                response: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n",
                responseBody: Array(text.utf8)
            )
            // The samples' digests are all the same.
            sample.exchange.response?.body.sha256 = []
            return sample
        }
        let (left, right) = (answered(left), answered(right))
        return try CaptureDiff(noise: DiffNoise(declared: noise.map { "json:" + $0 }))
            .compare(left.exchange, left.source, right.exchange, right.source)
    }

    /// Each difference as `change place left → right`.
    private func differences(_ left: String, _ right: String, ignoring noise: [String] = []) throws -> [String] {
        try found(left, right, ignoring: noise).differences.map { difference in
            let subject = difference.subject.map { " (\($0))" } ?? ""
            let values = [difference.left, difference.right].compactMap { $0 }.joined(separator: " → ")
            return "\(difference.change.rawValue) \(difference.place)\(subject) \(values)"
        }
    }

    @Test(
        "What differs is named by its path",
        arguments: [
            (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, []),
            (#"{"a":1.0}"#, #"{"a":1}"#, []),
            (#"{"a":"1"}"#, #"{"a":1}"#, [#"changed $.a "1" → 1"#]),
            (#"{"a":null}"#, #"{}"#, ["removed $.a null"]),
            (#"{}"#, #"{"a b":{"c":[]}}"#, [#"added $['a b'] {"c":[]}"#]),
            (#"{"a":{"b":[1,2,3]}}"#, #"{"a":{"b":[1,3]}}"#, ["removed $.a.b[1] 2"]),
            (#"[1,2,3]"#, #"[1,2,3,4]"#, ["added $[3] 4"]),
            (#"["x","y"]"#, #"["y","x"]"#, [#"removed $[0] "x""#, #"added $[1] "x""#]),
            (#"[{"t":1},{"t":2}]"#, #"[{"t":1},{"t":5}]"#, ["changed $[1].t 2 → 5"]),
            (#"{"a":1}"#, #"[1]"#, [#"changed $ {"a":1} → [1]"#]),
            (#""é""#, #""é""#, []), (#""\u00e9""#, #""e\u0301""#, ["changed $ \"é\" → \"e\u{301}\""]),
            // Half of a surrogate pair is no character, and yet it says something.
            (#""\ud800""#, #""\uD801""#, [#"changed $ "\ud800" → "\ud801""#]),
            (#"["a\udc00"]"#, #"[ "a\uDC00" ]"#, []), (#""\ud83d\ude00""#, #""😀""#, []),
            (#""\ud83d\ude00\ude00""#, #""😀\ude01""#, [#"changed $ "😀\ude00" → "😀\ude01""#]),
            (#""\\ud800""#, #""\ud800""#, [#"changed $ "\\ud800" → "\ud800""#]),
            // The character by which such pieces are told is one that a text may have itself.
            (#""\udbff\udffdud800""#, #""\ud800""#, [#"changed $ "\u10fffdud800" → "\ud800""#]),
            ("\"\u{10FFFD}12e100\"", "12e100", [#"changed $ "\u10fffd12e100" → 12e100"#]),
            ("\"\u{10FFFD}\"", #""\uDBFF\uDFFD""#, []),
            // The Arabic number sign is one Character with what follows it.
            (#""\u0600\ud800""#, #""\u0600""#, ["changed $ \"\u{600}\\ud800\" → \"\u{600}\""]),
        ]
    )
    func places(left: String, right: String, expected: [String]) throws {
        #expect(try differences(left, right) == expected)
    }

    @Test("Elements that say who they are are compared with themselves, wherever they stand")
    func identities() throws {
        let left = #"[{"slug":"a","open":true},{"slug":"b","open":true},{"slug":"c","open":false}]"#
        let right = #"[{"slug":"c","open":false},{"slug":"b","open":false},{"slug":"d","open":true}]"#
        #expect(
            try differences(left, right) == [
                #"removed $[0] (slug a) {"slug":"a","open":true}"#, "changed $[1].open (slug b) true → false",
                #"added $[2] (slug d) {"slug":"d","open":true}"#, "reordered $ slug a, b, c → slug c, b, d",
            ]
        )
        // Two of one name identify nothing.
        #expect(
            try differences(#"[{"id":1,"x":1},{"id":1,"x":2}]"#, #"[{"id":1,"x":1},{"id":1,"x":3}]"#) == [
                "changed $[1].x 2 → 3"
            ]
        )
    }

    @Test(
        "Numbers that a Double cannot tell apart are told apart by their digits",
        arguments: [
            ("9007199254740992", "9007199254740993", false), ("9007199254740993", "9007199254740993", true),
            ("0.1", "0.10", true), ("1e400", "1e500", false), ("-12345678901234567890", "-12345678901234567891", false),
            ("123456789012345", "123456789012345.0", true),
        ]
    )
    func exactNumbers(left: String, right: String, isSame: Bool) throws {
        let found = try differences("{\"n\":\(left)}", "{\"n\":\(right)}")
        #expect(found == (isSame ? [] : ["changed $.n \(left) → \(right)"]))
    }

    @Test(
        "What is declared noise is passed over, and only that",
        arguments: [
            (
                ["$.modified"],
                ["changed $.a.modified 1 → 2", "changed $.list[1].modified 1 → 2", "changed $.list[1].x 1 → 2"]
            ),
            (["$..modified"], ["changed $.list[1].x 1 → 2"]),
            (["$.list[*].modified", "$.a"], ["changed $.modified 1 → 2", "changed $.list[1].x 1 → 2"]),
            (["$.list[-1]"], ["changed $.modified 1 → 2", "changed $.a.modified 1 → 2"]),
            (["$..list"], ["changed $.modified 1 → 2", "changed $.a.modified 1 → 2"]),
        ]
    )
    func noise(paths: [String], expected: [String]) throws {
        func text(_ number: Int) -> String {
            #"{"modified":\#(number),"a":{"modified":\#(number)},"list":[0,{"modified":\#(number),"x":\#(number)}]}"#
        }
        #expect(try differences(text(1), text(2), ignoring: paths) == expected)
    }

    @Test("Noise does not keep equal elements of a list from finding each other")
    func noiseInLists() throws {
        let left = #"[{"t":1,"v":"a"},{"t":2,"v":"b"},{"t":3,"v":"c"}]"#
        let right = #"[{"t":9,"v":"b"},{"t":8,"v":"c"}]"#
        #expect(try differences(left, right, ignoring: ["$[*].t"]) == [#"removed $[0] {"t":1,"v":"a"}"#])
    }

    @Test("What identifies an element is no noise, and is not made anew for each answer")
    func changingIdentities() throws {
        let left = #"{"list":[{"id":1,"v":"a"},{"id":2,"v":"b"}]}"#
        let right = #"{"list":[{"id":3,"v":"a"},{"id":4,"v":"c"}]}"#
        #expect(try differences(left, right, ignoring: ["$..id"]) == [#"changed $.list[1].v "b" → "c""#])
        #expect(try differences(left, right, ignoring: ["$.list[*].id"]) == [#"changed $.list[1].v "b" → "c""#])
        #expect(
            try differences(left, right) == [
                "changed $.list[0].id 1 → 3", "changed $.list[1].id 2 → 4", #"changed $.list[1].v "b" → "c""#,
            ]
        )
        // What comes next identifies them all the same.
        #expect(
            try differences(#"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#, #"[{"id":4,"name":"b"}]"#)
                == [#"removed $[0] (name a) {"id":1,"name":"a"}"#, "changed $[1].id (name b) 2 → 4"]
        )
    }

    @Test("Lists too long for the longest common part are compared place by place, in time")
    func longLists() throws {
        let left = (0..<60_000).map { "{\"v\":\($0)}" }.joined(separator: ",")
        let right = (0..<60_000).map { "{\"v\":\($0 % 2 == 0 ? $0 : -$0)}" }.joined(separator: ",")
        let found = try found("[\(left)]", "[\(right)]")
        #expect(found.count == 30_000)
        #expect(found.differences.count == 500)
    }

    @Test("A difference that is not kept is not written out, nor is a long way to each")
    func longWays() throws {
        func text(_ number: Int, _ name: String) -> String {
            let members = (0..<2_000).map { "\"k\($0)\":\(number)" }.joined(separator: ",")
            return "{\"\(name)\":{\(members)}}"
        }
        let long = String(repeating: "n", count: 1_000_000)
        let found = try found(text(1, long), text(2, long))
        #expect(found.count == 2_000 && found.differences.count == 500)
        let first = try #require(found.differences.first)
        #expect(first.place.hasSuffix("n…'].k0"))
        #expect(first.place.utf8.count < 500 && first.pointer == nil && first.general == nil)
        // A name of a few hundred characters is a place as any other.
        let short = String(repeating: "n", count: 500)
        let place = try #require(try self.found(text(1, short), text(2, short)).differences.first)
        #expect(place.place == "$.\(short).k0" && place.pointer == "/\(short)/k0")
    }

    @Test("A text is cut after so many characters, and after so many scalars where one character has no end")
    func shortened() {
        let marks = String(repeating: "\u{301}", count: 1_000_000)
        func shown(_ text: String) -> String? { Difference(.response, .json, "$", .added, right: text).right }
        #expect(shown("a" + marks)?.unicodeScalars.count ?? 0 < 2_000)
        #expect(shown(String(repeating: "é", count: 160)) == String(repeating: "é", count: 160))
        #expect(shown(String(repeating: "é", count: 161)) == String(repeating: "é", count: 159) + "…")
        #expect(shown(String(repeating: "a", count: 160) + "b") == String(repeating: "a", count: 159) + "…")
    }
}
