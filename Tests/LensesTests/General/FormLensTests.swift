import Lenses
import Testing

@Suite(.timeLimit(.minutes(15)))
struct FormLensTests {
    @Test("A form in a URL's coding is read field by field")
    func urlencoded() {
        let fields = "Content-Type: application/x-www-form-urlencoded\r\n"
        let capture = LensSample.capture(
            "POST",
            "/login",
            requestFields: fields,
            request: Array("name=J%C3%BCrgen+K&empty=&flag".utf8),
            code: 302,
            fields: "Location: /home\r\n"
        )
        let view = FormLens().view(capture)
        #expect(LensSet.standard.lens(of: capture)?.name == "form")
        #expect(view.request == "POST /login, form with 3 fields" && view.response == "302")
        let wanted = [LensField("name", "Jürgen K"), LensField("empty", ""), LensField("flag", "")]
        #expect(view.sections.map(\.content) == [.fields(wanted)])
    }

    @Test("The parts of a form with files are told apart: names, values, files, types, sizes")
    func multipart() {
        let body = """
            preamble\r\n--XX\r\nContent-Disposition: form-data; name="note"\r\n\r\na -- b\r\n\r\n--X\r\n--XX\r\n\
            content-disposition: form-data; name="file"; filename="a;b.bin"\r\nContent-Type: image/png\r\n\r\n\u{1}\u{2}\r\n\
            --XX\r\nContent-Disposition: form-data; name="empty"\r\n\r\n\r\n--XX--\r\nrest
            """
        let fields = "Content-Type: multipart/form-data; boundary=\"XX\"\r\n"
        let view = FormLens().view(LensSample.capture("POST", "/up", requestFields: fields, request: Array(body.utf8)))
        #expect(view.request == "POST /up, form with 3 parts, 1 file")
        guard case .table(let table)? = view.sections.first?.content else {
            Issue.record("no table of parts")
            return
        }
        #expect(
            table.rows.map { $0.map(\.text) } == [
                ["note", "a -- b\r\n\r\n--X", "", "", "13"], ["file", "", "a;b.bin", "image/png", "2"],
                ["empty", "", "", "", "0"],
            ]
        )
    }

    @Test(
        "Parts that cannot be told apart are said so, and what is cut short keeps what is whole",
        arguments: [
            ("", "parts that cannot be told apart"), ("--XX\r\n", "form with 0 parts"), ("--XX--", "form with 0 parts"),
            ("--XX", "form with 0 parts"), ("nothing", "parts that cannot be told apart"),
            ("--XX\r\n\r\na\r\n--XX\r\n\r\nb", "form with 2 parts"),
            ("--XX\n\na\n--XX\n\nb\n--XX--\n", "form with 2 parts"),
            ("--XX\r\n\r\na --XX b\r\n--XXY\r\n--XX--", "form with 1 part"),
        ]
    )
    func broken(body: String, said: String) {
        for (parameter, said) in [("; boundary=XX", said), ("", "parts that cannot be told apart")] {
            let fields = "Content-Type: multipart/form-data\(parameter)\r\n"
            let capture = LensSample.capture("POST", "/up", requestFields: fields, request: Array(body.utf8))
            #expect(FormLens().view(capture).request == "POST /up, \(said)")
        }
    }

    /// The parts that a body is shown with: name, value and size of each.
    private func parts(_ body: String, boundary: String = "XX") -> [[String]]? {
        let fields = "Content-Type: multipart/form-data; boundary=\(boundary)\r\n"
        let view = FormLens().view(LensSample.capture("POST", "/up", requestFields: fields, request: Array(body.utf8)))
        guard case .table(let table)? = view.sections.first?.content else { return nil }
        return table.rows.map { [$0[0].text, $0[1].text, $0[4].text] }
    }

    @Test("A part that the body ends in is shown with what is there of it, and told to be cut short")
    func cutPart() throws {
        let body = "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nhalf of i"
        #expect(parts(body) == [["a", "half of i", "9, cut short"]])
        let lines = "--XX\nContent-Disposition: form-data; name=\"a\"\n\nx\ny\n--XX--\n"
        #expect(parts(lines) == [["a", "x\ny", "3"]])
        #expect(parts(body, boundary: String(repeating: "X", count: 71)) == nil)
    }

    @Test("The fields of a part end at the first empty line, whichever its line end, and take some bytes at most")
    func heads() {
        let lines = "--XX\nContent-Disposition: form-data; name=\"a\"\n\nx\r\n\r\ny\n--XX--\n"
        #expect(parts(lines) == [["a", "x\r\n\r\ny", "6"]])
        let both = "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\n\ny\r\n--XX--\r\n"
        #expect(parts(both) == [["a", "x\n\ny", "4"]])
        let name = String(repeating: "n", count: 20_000)
        let long = "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\nx\r\n--XX--\r\n"
        let shown = parts(long)?.first ?? []
        #expect(shown.first == "(no name)" && shown.joined().utf8.count < 1_000)
    }

    @Test("Of a form with thousands of fields the first are shown, and a # is a character")
    func many() {
        func view(_ body: String) -> LensView {
            let fields = "Content-Type: application/x-www-form-urlencoded\r\n"
            return FormLens().view(LensSample.capture("POST", "/x", requestFields: fields, request: Array(body.utf8)))
        }
        let many = view(Array(repeating: "a=1", count: 3_000).joined(separator: "&"))
        guard case .fields(let fields)? = many.sections.first?.content else {
            Issue.record("no fields")
            return
        }
        #expect(many.request == "POST /x, form with 3000 fields" && fields.count == 501)
        #expect(fields.last?.value.text == "2500 more")
        let colours = [LensField("color", "#ff0000"), LensField("size", "3")]
        #expect(view("color=#ff0000&size=3").sections.map(\.content) == [.fields(colours)])
    }
}
