import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct NoticesTests {
    private static func capture(
        _ target: String = "/nm/notices.json?noticeDateFrom=2020-01-01&locationId=1",
        code: Int = 200,
        body: String = PortalCapture.notices,
        scheme: Scheme = .https,
        id: ExchangeID = 1
    ) -> Capture {
        PortalCapture.of(target, code: code, body: body, id: id, scheme: scheme, host: "app.toronto.ca")
    }

    @Test("The list of notices is read, and the address of each page given")
    func list() {
        let view = NoticesLens().view(Self.capture())
        #expect(view.request == "Notices, from 2020-01-01, location 1")
        #expect(view.response == "2 notices")
        #expect(view.failure == nil)
        guard case .table(let table)? = view.sections.first?.content else {
            Issue.record("there is no table")
            return
        }
        #expect(
            table.rows.first?.map(\.text)
                == ["1234", "Road Closing", "http://app.toronto.ca/nm/api/individual/notice/1234.do"]
        )
    }

    @Test("A notice's page is shown by its title")
    func page() {
        let page = Self.capture(
            "/nm/api/individual/notice/1234.do",
            body: "<html><head><title>Road &lt;Closing&gt;</title></html>"
        )
        let view = NoticesLens().view(page)
        #expect(view.request == "Notice 1234")
        #expect(view.response == "“Road <Closing>”")
        #expect(NoticesLens().findings(page).isEmpty)
    }

    @Test(
        "What is amiss is found",
        arguments: [
            ("/nm/notices.json", 200, PortalCapture.notices, Scheme.http, ["CK-C7"], nil),
            ("/nm/notices.json", 200, PortalCapture.notices, .https, [], nil),
            ("/nm/notices.json", 200, "{}", .https, ["CK-23"], "the answer has no Records; the app shows No Data"),
            (
                "/nm/notices.json", 200, "<html></html>", .https, ["CK-23"],
                "the body is no JSON at its byte 0 (<html></html); the app shows No Data"
            ),
            (
                "/nm/notices.json", 200, #"{"Records":[{"title":"x"},{"noticeId":1}]}"#, .https,
                ["CK-23 /Records/0", "CK-23 /Records/1"], nil
            ),
            ("/nm/notices.json", 502, "", .https, ["CK-20"], nil),
            ("/nm/api/individual/notice/9.do", 404, "<html></html>", .https, ["CK-24"], nil),
            (
                "/nm/api/individual/notice/x.do", 200, "{}", .https, ["CK-24"],
                "the body is no page; the app opens an empty one"
            ),
        ] as [(String, Int, String, Scheme, [String], String?)]
    )
    func amiss(target: String, code: Int, body: String, scheme: Scheme, expected: [String], failure: String?) {
        let capture = Self.capture(target, code: code, body: body, scheme: scheme)
        let found = NoticesLens().findings(capture).map { $0.rule + ($0.pointer.isEmpty ? "" : " " + $0.pointer) }
        #expect(found == expected)
        #expect(NoticesLens().view(capture).failure == failure)
    }

    @Test("What the pages are made of is no answer of the notices, and breaks no rule of theirs")
    func parts() {
        for scheme in [Scheme.http, .https] {
            let style = Self.capture("/nm/css/page.css", body: "h1 { color: red }", scheme: scheme)
            let view = NoticesLens().view(style)
            #expect(NoticesLens().findings(style).isEmpty && view.failure == nil && view.sections.isEmpty)
            #expect(view.request == "No notice: /nm/css/page.css" && view.response == "200, no answer of the notices")
        }
        // A list is one wherever it stands.
        let elsewhere = Self.capture("/other.json")
        #expect(NoticesLens().view(elsewhere).response == "2 notices")
    }

    @Test("Of many records that lack something twenty are told, and how many more there are")
    func many() {
        let records = Array(repeating: "{}", count: 50).joined(separator: ",")
        let findings = NoticesLens().findings(Self.capture(body: #"{"Records":[\#(records)]}"#))
        #expect(findings.count == 20 && findings.last?.message == "noticeId and title are missing; and 30 more like it")
    }

    @Test("Long lists of notices are compared in no time to speak of")
    func longLists() {
        func list(_ ids: Range<Int>) -> Capture {
            let records = ids.map { #"{"noticeId":\#($0)}"# }.joined(separator: ",")
            return Self.capture(body: #"{"Records":[\#(records)]}"#)
        }
        let changes = NoticesLens().changes(from: list(1..<100_001), to: list(3..<100_004))
        #expect(changes.count == 5 && changes.first?.hasPrefix("notice 100001 came") == true)
    }

    @Test("Notices that came and went between two captures are named")
    func changes() {
        let after = Self.capture(body: #"{"Records":[{"noticeId":1235,"title":"Fees"},{"noticeId":9,"title":"New"}]}"#)
        #expect(
            NoticesLens().changes(from: Self.capture(), to: after)
                == ["notice 9 came: New", "notice 1234 is gone: Road Closing"]
        )
    }
}
