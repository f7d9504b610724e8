import Testing

@testable import inspect

@Suite(.timeLimit(.minutes(15))) struct JSONIndenterTests {
    private static func indented(_ text: String) -> String? {
        JSONIndenter.indented(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("Values stay exactly as they came: order, numbers, escapes, duplicates")
    func keepsValues() {
        #expect(
            Self.indented(#"{"b":1.10e+05,"a":["\u00e9",{}, [ ] ],"a":"{,}"}"#)
                == "{\n  \"b\": 1.10e+05,\n  \"a\": [\n    \"\\u00e9\",\n    {},\n    []\n  ],\n  \"a\": \"{,}\"\n}"
        )
    }

    @Test("One JSON text a line stays one after the other")
    func keepsLines() {
        #expect(Self.indented("{\"a\":1}\n{\"a\":2}\n") == "{\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n")
    }

    @Test(
        "What is no JSON is left to be shown as it is",
        arguments: ["{", "]", "{]", "\"open", "<html>", "{'a':1}", ",", "\u{1B}[2J"]
    )
    func refuses(_ text: String) {
        #expect(Self.indented(text) == nil)
    }

    @Test("Deep nesting is refused instead of growing")
    func refusesDepth() {
        #expect(Self.indented(String(repeating: "[1,", count: 10_000)) == nil)
    }
}
