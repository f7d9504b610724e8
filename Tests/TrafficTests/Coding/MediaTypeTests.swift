import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct MediaTypeTests {
    @Test("Type, parameters and charset are read leniently")
    func reads() {
        let type = MediaType(#" Text/HTML ; Charset="UTF-8"; title="a;\"b" "#)
        #expect(type?.essence == "text/html")
        #expect(type?.charset == "utf-8")
        #expect(type?.parameters.last?.value == #"a;"b"#)
        #expect(MediaType("") == nil)
        #expect(MediaType(nil) == nil)
        #expect(MediaType("  ;charset=x") == nil)
    }

    @Test(
        "What is text, JSON or a picture is known",
        arguments: [
            ("application/json", true, true, false), ("application/problem+json", true, true, false),
            ("application/x-ndjson", true, true, false), ("text/plain", true, false, false),
            ("image/svg+xml", true, false, true), ("image/png", false, false, true),
            ("application/octet-stream", false, false, false),
            ("application/x-www-form-urlencoded", true, false, false),
            ("application/javascript", true, false, false),
        ]
    )
    func classifies(_ text: String, _ isTextual: Bool, _ isJSON: Bool, _ isImage: Bool) throws {
        let type = try #require(MediaType(text))
        #expect(type.isTextual == isTextual)
        #expect(type.isJSON == isJSON)
        #expect(type.isImage == isImage)
    }

    @Test(
        "A type has a short word for people",
        arguments: [
            ("application/problem+json", "json"), ("text/html", "html"), ("text/javascript", "js"),
            ("text/plain", "text"), ("text/csv", "csv"), ("image/png", "png"), ("image/svg+xml", "svg"),
            ("image/vnd.microsoft.icon", "icon"), ("font/woff2", "font"), ("text/event-stream", "sse"),
            ("application/octet-stream", "bin"), ("application/x-tar", "tar"), ("multipart/form-data", "form"),
            ("audio/mpeg", "mpeg"), ("application/xml", "xml"), ("text", "text"), ("image/", "image"),
        ]
    )
    func words(_ essence: String, _ word: String) {
        #expect(MediaType(essence)?.word == word)
    }
}
