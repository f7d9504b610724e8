import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct CKANViewTests {
    @Test("A list of vocabularies is cut, and says how many more there are")
    func vocabularies() throws {
        let list = Array(repeating: #"{"name":"v","tags":[]}"#, count: 700).joined(separator: ",")
        let view = CKANLens().view(PortalCapture.of("vocabulary_list", result: "[\(list)]"))
        guard case .tree(let nodes)? = view.sections.last?.content else {
            Issue.record("there is no tree")
            return
        }
        #expect(nodes.count == 501 && nodes.last?.label.text == "and 200 more")
    }

    @Test("A line of a view has room for so much, whatever was asked for")
    func longLines() throws {
        let capture = PortalCapture.of("package_show?id=" + String(repeating: "x", count: 100_000), body: "{}")
        let view = try #require(LensSet.standard.view(of: capture))
        #expect(view.request.hasPrefix("Package xxx") && view.request.unicodeScalars.count == 2_001)
    }

    private func view(_ capture: Capture) -> LensView { CKANLens().view(capture) }

    /// The title of each part.
    private func titles(_ capture: Capture) -> [String] { view(capture).sections.map(\.title) }

    private func fields(_ title: String, of capture: Capture) -> [String: String] {
        guard case .fields(let fields)? = view(capture).sections.first(where: { $0.title == title })?.content else {
            return [:]
        }
        return Dictionary(fields.map { ($0.name, $0.value.text) }, uniquingKeysWith: { first, _ in first })
    }

    private func rows(_ title: String, of capture: Capture) -> [[String]] {
        guard case .table(let table)? = view(capture).sections.first(where: { $0.title == title })?.content else {
            return []
        }
        return table.rows.map { $0.map(\.text) }
    }

    @Test("A search shows its facets, and its one dataset as a card with its age against its refresh rate")
    func search() {
        let facets = #"{"topics":{"Transportation":1,"Health":4,"Business":4}}"#
        let capture = PortalCapture.of(
            "package_search?facet.field=[\"topics\"]",
            result: PortalCapture.found([PortalCapture.package()], facets: facets)
        )
        #expect(view(capture).request == "Topics")
        #expect(view(capture).response == "1 dataset found, 1 here")
        #expect(view(capture).failure == nil)
        #expect(rows("Facet Topic", of: capture) == [["Business", "4"], ["Health", "4"], ["Transportation", "1"]])
        let card = fields("Cycling Network", of: capture)
        #expect(card["Division"] == "Transportation Services")
        #expect(card["Last refreshed"] == "2026-09-14, 2 months ago")
        #expect(card["Content"] == "fresh")
        #expect(card["Share link"] == "https://open.toronto.ca/dataset/cycling-network/")
        #expect(rows("Resources", of: capture).first?.prefix(4) == ["cycling-network", "GeoJSON", "1581", "yes"])
    }

    @Test("Facets are read from search_facets where facets is missing")
    func searchFacets() {
        let result = """
            {"count":0,"results":[],"search_facets":{"formats":{"title":"formats","items":[{"name":"CSV","display_name":"CSV","count":9}]}}}
            """
        #expect(rows("Facet Format", of: PortalCapture.of("package_search", result: result)) == [["CSV", "9"]])
    }

    @Test("Several datasets are a table, the stale ones said so")
    func table() {
        let old = PortalCapture.package(named: "old", ["refresh_rate": "\"Daily\""])
        let capture = PortalCapture.of("package_search", result: PortalCapture.found([PortalCapture.package(), old]))
        #expect(rows("Datasets", of: capture).map { $0[5] } == ["fresh", "stale"])
    }

    @Test("Each answer is read as what it is")
    func answers() {
        let shown = PortalCapture.of("package_show?id=cycling-network", result: PortalCapture.package())
        #expect(view(shown).response == "the dataset “Cycling Network”")
        #expect(titles(shown) == ["Request", "Cycling Network", "Notes", "Resources"])
        let home = PortalCapture.of(
            "recently_changed_packages_activity_list?limit=2",
            result: PortalCapture.changes(0..<2)
        )
        #expect(view(home).response == "2 changes")
        #expect(rows("Changes", of: home).map { $0[2] } == ["Set-0", "Set-1"])
        let tags = PortalCapture.of("tag_list?", result: #"["a","b"]"#)
        #expect(view(tags).response == "2 tags")
        #expect(rows("List", of: tags) == [["a"], ["b"]])
        let found = PortalCapture.of(
            "package_autocomplete?q=c",
            result: #"[{"name":"c-n","title":"C N","match_field":"name","match_displayed":"c-n"}]"#
        )
        #expect(rows("Suggestions", of: found) == [["C N", "c-n", "name", "c-n"]])
        let users = PortalCapture.of(
            "user_list?",
            result:
                #"[{"id":"1","name":"jo","display_name":"Jo","state":"active","sysadmin":false,"number_created_packages":0}]"#
        )
        #expect(rows("Admins", of: users) == [["jo", "Jo", "0", "no", "active"]])
        let words = PortalCapture.of("vocabulary_list?", result: #"[{"id":"v","name":"topics","tags":[{"name":"a"}]}]"#)
        #expect(
            view(words).sections.last?.content
                == .tree([LensNode("topics", detail: LensText("1 tag", .faint), children: [LensNode("a")])])
        )
        let help = PortalCapture.of("help_show?name=tag_list", result: "\"Lists tags.\"")
        #expect(view(help).sections.last?.content == .text("Lists tags."))
        #expect(view(PortalCapture.of("status_show", result: #"{"ckan_version":"2.8"}"#)).response == "an object")
    }

    @Test("Rows of a resource show what the map makes of them")
    func records() {
        let result = #"""
            {"resource_id":"r","fields":[{"id":"_id","type":"int"},{"id":"geometry","type":"text"}],"limit":100,"total":9,"records":[
            {"_id":1,"geometry":"{\"type\":\"Point\",\"coordinates\":[-79.38,43.65]}"},
            {"_id":2,"geometry":"{\"type\":\"MultiLineString\",\"coordinates\":[[[1,2],[3,4]]]}"}]}
            """#
        let capture = PortalCapture.of("datastore_search?id=r", result: result)
        #expect(view(capture).response == "2 records of 9: 1 point, 1 MultiLineString")
        let map = fields("Map", of: capture)
        #expect(map["Pins"] == "1 of 2 rows here")
        #expect(map["No pin"] == "1 row: the app's map reads points only (C3)")
        #expect(map["Not asked for"] == "7 of 9 rows")
        #expect(rows("Records", of: capture) == [["1"], ["2"]])
    }

    @Test(
        "A failure is said, and one that its status hides is said to be one",
        arguments: [
            (
                200, PortalCapture.refusal(#"{"__type":"Not Found Error","message":"Not found"}"#),
                "200: Not Found Error: Not found",
                "success is false: Not Found Error: Not found; the app shows No Data"
            ),
            (
                409, PortalCapture.refusal(#"{"limit":["Must be a natural number"],"__type":"Validation Error"}"#),
                "409: Validation Error: limit: Must be a natural number", nil
            ),
            (400, #""Bad request: Action name not known: x""#, "400: Bad request: Action name not known: x", nil),
            (
                403, PortalCapture.refusal(#"{"__type":"Authorization Error","message":"Access denied"}"#),
                "403: Authorization Error: Access denied", nil
            ),
            (404, "<!DOCTYPE html><title>404 Not\n Found</title>", "404: the HTML page “404 Not Found”", nil),
            (500, "<html><body></body></html>", "500: an HTML page", nil), (503, "", "503: no body", nil),
            (
                200, "<html><h1>Down &amp; out</h1></html>", "200: the HTML page “Down & out”",
                "the body is not the portal's: the HTML page “Down & out”; the app shows No Data"
            ),
            (
                200, #"{"help":"x","success":tr"#, "200: the body ends before it is whole",
                "the body is not the portal's: the body ends before it is whole; the app shows No Data"
            ),
            (
                200, #"{"success":true,"result":"\q"}"#, "200: the body is no JSON at its byte 27 (q\"})",
                "the body is not the portal's: the body is no JSON at its byte 27 (q\"}); the app shows No Data"
            ),
            (
                200, "[1]", "200: a list that has no success and result",
                "the body is not the portal's: a list that has no success and result; the app shows No Data"
            ),
        ] as [(Int, String, String, String?)]
    )
    func failures(code: Int, body: String, response: String, failure: String?) {
        let view = view(PortalCapture.of("package_show?id=x", code: code, body: body))
        #expect(view.response == response)
        #expect(view.failure == failure)
    }

    @Test(
        "A search that finds nothing by the app's own mistake is a failure",
        arguments: [
            ("fq=tags:x+metadata_modified%20desc", "(C1)"), ("fq=tags:bike%20lane", "(C2)"), ("fq=tags:x", nil),
        ] as [(String, String?)]
    )
    func emptied(query: String, ending: String?) {
        let view = view(PortalCapture.of("package_search?" + query, result: PortalCapture.found([])))
        #expect(view.failure?.suffix(4) == ending.map { Substring($0) })
    }

    @Test("What nobody answered has no response")
    func unanswered() {
        var exchange = PortalCapture.of("tag_list?").exchange
        (exchange.response, exchange.code) = (nil, nil)
        let view = view(Capture(exchange: exchange))
        #expect(view.request == "Tags")
        #expect(view.response == nil)
        #expect(CKANLens().findings(Capture(exchange: exchange)).isEmpty)
    }
}
