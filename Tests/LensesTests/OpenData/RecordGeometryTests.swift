import Lenses
import Testing

@Suite(.timeLimit(.minutes(15)))
struct RecordGeometryTests {
    @Test(
        "Rows are counted by their geometry, and only points have pins",
        arguments: [
            (#"{"geometry":"{\"type\": \"Point\", \"coordinates\": [-79.38, 43.65]}"}"#, "2 points"),
            (#"{"geometry":{"type":"Point","coordinates":[-79.38,43.65,12]}}"#, "2 points"),
            (
                #"{"geometry":"{\"type\": \"MultiPoint\", \"coordinates\": [[-79.38, 43.65]]}"}"#,
                "1 point, 1 MultiPoint"
            ),
            (#"{"geometry":{"type":"LineString","coordinates":[]}}"#, "1 point, 1 LineString"),
            (#"{"geometry":null}"#, "1 point, 1 without geometry"), ("{}", "1 point, 1 without geometry"),
            (#"{"geometry":"None"}"#, "1 point, 1 without geometry"), (#"{"geometry":"x"}"#, "1 point, 1 unreadable"),
            (#"{"geometry":{"type":"Point","coordinates":["a","b"]}}"#, "1 point, 1 unreadable"),
            (#"{"geometry":{"type":"Point"}}"#, "1 point, 1 unreadable"),
            (#"{"geometry":[]}"#, "1 point, 1 unreadable"),
            // What GeoJSON has no name for is none, so that there are no more types than it names.
            (#"{"geometry":{"type":"Circle","coordinates":[-79.38,43.65]}}"#, "1 point, 1 unreadable"),
            ("7", "1 point, 1 without geometry"),
        ]
    )
    func counts(record: String, words: String) {
        // Beside a point: rows without any geometry are of no map.
        let point = #"{"geometry":{"type":"Point","coordinates":[-79.4,43.7]}}"#
        let result = #"{"fields":[],"records":[\#(point),\#(record)]}"#
        let view = CKANLens().view(PortalCapture.of("datastore_search?id=r", result: result))
        #expect(view.response == "2 records: \(words)")
    }
}
