import Testing
import Traffic

@testable import Lenses

@Suite(.timeLimit(.minutes(15)))
struct RecordGeometryTests {
    @Test(
        "Rows are counted by their geometry, and only points have pins",
        arguments: [
            (#"{"geometry":"{\"type\": \"Point\", \"coordinates\": [-79.38, 43.65]}"}"#, "1 point"),
            (#"{"geometry":{"type":"Point","coordinates":[-79.38,43.65,12]}}"#, "1 point"),
            (
                #"{"geometry":"{\"type\": \"MultiPoint\", \"coordinates\": [[-79.38, 43.65]]}"}"#,
                "0 points, 1 MultiPoint"
            ),
            (#"{"geometry":{"type":"LineString","coordinates":[]}}"#, "0 points, 1 LineString"),
            (#"{"geometry":null}"#, "0 points, 1 without geometry"), ("{}", "0 points, 1 without geometry"),
            (#"{"geometry":"None"}"#, "0 points, 1 without geometry"), (#"{"geometry":"x"}"#, "0 points, 1 unreadable"),
            (#"{"geometry":{"type":"Point","coordinates":["a","b"]}}"#, "0 points, 1 unreadable"),
            (#"{"geometry":{"type":"Point"}}"#, "0 points, 1 unreadable"),
            (#"{"geometry":[]}"#, "0 points, 1 unreadable"),
            ("7", "0 points, 1 without geometry"),
        ]
    )
    func counts(record: String, words: String) throws {
        #expect(RecordGeometry(records: [try JSONReader.value(Array(record.utf8))]).sentence == words)
    }
}
