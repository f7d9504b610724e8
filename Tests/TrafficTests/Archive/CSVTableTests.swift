import Archive
import Testing
import Traffic

@Suite("Lines of a listing as comma-separated values", .timeLimit(.minutes(15)))
struct CSVTableTests {
    @Test(
        "A cell is never a formula, and is in quotes where it has to be",
        arguments: [
            ("plain", "plain"), ("", ""), ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"), ("\r=1", "\"'\r=1\""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""),
            ("=cmd|' /C calc'!A0,x", "\"'=cmd|' /C calc'!A0,x\""), ("/a=b", "/a=b"), ("＝1", "'＝1"),
            ("a\"\u{301},=1", "\"a\"\"\u{301},=1\""),
        ]
    )
    func cells(_ text: String, _ cell: String) {
        var row = SampleExchange().exchange.summary
        row.marks.note = text
        row.session = text
        #expect(String(decoding: CSVTable.line(row), as: UTF8.self).hasSuffix(",\(cell),\(cell)\r\n"))
    }
}
