import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct OpenDataOddInputTests {
    private static let actions = [
        "package_search?fq=tags:x&rows=3", "package_show?id=x",
        "recently_changed_packages_activity_list?limit=3&offset=3",
        "datastore_search?id=x", "tag_list?", "user_list?", "vocabulary_list?", "package_autocomplete?q=x",
        "help_show?name=x",
        "package_activity_list?id=x", "", "?", "%", "package_search?fq=%22&sort=%20&facet.field=%5B&q=&rows=1e9",
    ]

    /// Every part of a value replaced by each of some odd ones, one at a time.
    private static func variants(_ value: JSONValue) -> [JSONValue] {
        let odd: [JSONValue] = [
            .null, .number(-1e300), .string(""), .string("\u{1B}[2J\u{202E}"), .array([.null]),
            .object([("id", .number(3)), ("package", .array([]))]),
        ]
        var all = odd
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                all += variants(element).map { variant in
                    var copy = elements
                    copy[index] = variant
                    return .array(copy)
                }
            }
        case .object(let members):
            for (index, member) in members.enumerated() {
                all += variants(member.value).map { variant in
                    var copy = members
                    copy[index].value = variant
                    return .object(copy)
                }
            }
        default: break
        }
        return all
    }

    private func read(_ capture: Capture) {
        for lens in [CKANLens(), NoticesLens()] as [any Lens] {
            let view = lens.view(capture)
            #expect(!view.request.isEmpty)
            for finding in lens.findings(capture) { #expect(!finding.message.isEmpty) }
            _ = lens.changes(from: capture, to: capture)
        }
        var catalogue = DatasetCatalogue()
        catalogue.add(capture, lens: "ckan")
        catalogue.add(capture, lens: "notices")
        _ = catalogue.scrollSections
        _ = catalogue.mapSections
        _ = catalogue.datasets.map { catalogue.card($0) }
        var json = JSONWriter()
        catalogue.write(catalogue.datasets, to: &json)
    }

    @Test("Whatever the portal sends, nothing traps", arguments: 0..<4)
    func variants(kind: Int) throws { try variants(kind: kind, oneIn: 4) }

    /// Reads one in so many of the variants of a kind of answer.
    func variants(kind: Int, oneIn share: Int) throws {
        let texts = [
            PortalCapture.envelope(PortalCapture.found([PortalCapture.package()], facets: #"{"topics":{"a":1}}"#)),
            PortalCapture.envelope(PortalCapture.changes(0..<2)),
            PortalCapture.envelope(
                #"{"fields":[{"id":"a"}],"records":[{"geometry":{"type":"Point","coordinates":[1,2]}}],"total":4}"#
            ),
            PortalCapture.refusal(#"{"__type":"Validation Error","rows":["x"],"message":"y"}"#),
        ]
        let value = try JSONReader.value(Array(texts[kind].utf8))
        let calls = kind == 0 ? [0, 1] : kind == 1 ? [2, 9] : kind == 2 ? [3, 4] : [1, 10]
        for (place, variant) in Self.variants(value).enumerated() where (place + kind) % share == 0 {
            var json = JSONWriter()
            json.value(nil, variant)
            let body = String(decoding: json.take(), as: UTF8.self)
            for call in calls { read(PortalCapture.of(Self.actions[call], body: body)) }
        }
    }

    @Test("A body that breaks off anywhere, and any body for any action, is read without a trap")
    func brokenOff() {
        let whole = PortalCapture.envelope(PortalCapture.found([PortalCapture.package()]))
        for length in stride(from: 0, to: whole.utf8.count, by: 7) {
            let body = String(decoding: whole.utf8.prefix(length), as: UTF8.self)
            read(PortalCapture.of("package_search", body: body))
        }
        let bodies = ["", "{}", "[]", "\"\"", "null", "0", "<html>", "<", "<title>", "<html><title", "\u{0}", whole]
        for call in Self.actions {
            for body in bodies {
                for code in [200, 204, 304, 400, 404, 409, 500] { read(PortalCapture.of(call, code: code, body: body)) }
            }
        }
    }
}
