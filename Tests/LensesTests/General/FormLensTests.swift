import Testing
import Traffic

@testable import Lenses

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
            ("", nil), ("--XX\r\n", 0), ("--XX--", 0), ("--XX", 0), ("nothing", nil),
            ("--XX\r\n\r\na\r\n--XX\r\n\r\nb", 1),
        ] as [(String, Int?)]
    )
    func broken(body: String, count: Int?) {
        #expect(MultipartBody.parts(Array(body.utf8), boundary: "XX")?.count == count)
        #expect(MultipartBody.parts(Array(body.utf8), boundary: nil)?.count == nil)
    }
}
