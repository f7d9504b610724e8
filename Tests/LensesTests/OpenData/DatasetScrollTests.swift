import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct DatasetScrollTests {
    private struct Page: Sendable {
        let query: String
        let changes: Range<Int>?
    }

    /// The lists that captures of the home list make, numbered from 1.
    private static func scrolls(_ pages: [Page]) -> [DatasetScroll] {
        var catalogue = DatasetCatalogue()
        for (index, page) in pages.enumerated() {
            let call = "recently_changed_packages_activity_list?" + page.query
            let id = ExchangeID(index + 1)
            let capture = page.changes.map { PortalCapture.of(call, result: PortalCapture.changes($0), id: id) }
            catalogue.add(capture ?? PortalCapture.of(call, code: 500, body: "<html></html>", id: id), lens: "ckan")
        }
        return catalogue.scrolls
    }

    @Test("Pages in either order of their parameters, asked for in any order, become one list")
    func joined() throws {
        let scrolls = Self.scrolls([
            Page(query: "limit=3", changes: 0..<3), Page(query: "offset=6&limit=3", changes: 6..<8),
            Page(query: "limit=3&offset=3", changes: 3..<6),
        ])
        let scroll = try #require(scrolls.first)
        #expect(scrolls.count == 1)
        #expect(scroll.request == "Recently Changed")
        #expect(scroll.rows.map(\.number) == Array(1...8))
        #expect(scroll.rows.map(\.item.name) == (0..<8).map { "set-\($0)" })
        #expect(scroll.rows.map(\.exchange) == [1, 1, 1, 3, 3, 3, 2, 2])
        #expect(scroll.seams.isEmpty)
        #expect(scroll.isWhole)
    }

    @Test("What does not fit together is named")
    func seams() throws {
        let cases: [([Page], [String])] = [
            (
                [Page(query: "limit=3", changes: 0..<3), Page(query: "limit=3&offset=6", changes: 6..<9)],
                ["gap, rows 4–6: no page brought them; #2 goes on after them"]
            ),
            (
                [
                    Page(query: "limit=3", changes: 0..<3), Page(query: "limit=3&offset=3", changes: nil),
                    Page(query: "limit=3&offset=6", changes: 6..<9),
                ],
                ["gap, rows 4–6: #2 asked for them and got 500: an HTML page"]
            ),
            (
                [Page(query: "limit=3", changes: 0..<3), Page(query: "limit=3&offset=3", changes: nil)],
                ["gap, rows 4–6: #2 asked for them and got 500: an HTML page"]
            ),
            (
                [Page(query: "limit=3", changes: 0..<2), Page(query: "limit=3&offset=3", changes: 3..<6)],
                ["gap, row 3: #1 asked for 3 rows and got 2"]
            ),
            (
                [Page(query: "limit=3", changes: 0..<3), Page(query: "limit=3&offset=2", changes: 2..<5)],
                ["overlap, row 3: asked for more than once (#1, #2)"]
            ),
            (
                [Page(query: "limit=3", changes: 0..<3), Page(query: "limit=3&offset=3", changes: 1..<4)],
                ["moved, rows 2–4: “Set-1” is row 2 in #1 and row 4 in #2, and 1 more: the list moved in between"]
            ),
        ]
        for (pages, expected) in cases {
            let scroll = try #require(Self.scrolls(pages).first)
            #expect(scroll.seams.map(\.sentence) == expected)
        }
    }

    @Test("What stands twice on one page did not move")
    func repeated() throws {
        let rows = PortalCapture.changes(0..<2).dropLast() + "," + PortalCapture.changes(0..<1).dropFirst()
        var catalogue = DatasetCatalogue()
        let call = "recently_changed_packages_activity_list?limit=3"
        catalogue.add(PortalCapture.of(call, result: String(rows)), lens: "ckan")
        let scroll = try #require(catalogue.scrolls.first)
        #expect(scroll.seams.isEmpty && scroll.rows.map(\.item.name) == ["set-0", "set-1"])
    }

    @Test("A page that is asked for again and again is named a few times in each seam")
    func again() throws {
        let page = Page(query: "limit=3&offset=3", changes: 3..<6)
        let scrolls = Self.scrolls([Page(query: "limit=3", changes: 0..<3)] + Array(repeating: page, count: 12))
        let seams = try #require(scrolls.first?.seams)
        #expect(scrolls.count == 1 && seams.count == 11)
        #expect(
            seams.last?.sentence
                == "overlap, rows 4–6: asked for more than once (#2, #3, #4, #5, #6, #7, #8, #9, #13 and 3 more)"
        )
    }

    /// How a list of very many pages may have been read.
    enum Habit: CaseIterable {
        /// The same page again and again.
        case again
        /// Each page some rows after the one before it.
        case gaps
        /// So too, and every other page fails.
        case failing
    }

    @Test("Pages are not compared with all others each", arguments: Habit.allCases)
    func manyPages(habit: Habit) throws {
        let factor = try WorkGrowth.factor(of: 300) { count in
            var catalogue = DatasetCatalogue()
            for index in 0..<count {
                let start = habit == .again ? 1 : 3 * index
                let call = "recently_changed_packages_activity_list?limit=1&offset=\(start)"
                let id = ExchangeID(index + 1)
                let isFailing = habit == .failing && index % 2 == 1
                let capture =
                    isFailing
                    ? PortalCapture.of(call, code: 500, id: id) : PortalCapture.of(call, result: "[{}]", id: id)
                catalogue.add(capture, lens: "ckan")
            }
            return catalogue
        } work: { (catalogue: DatasetCatalogue) in
            #expect(catalogue.scrolls.first?.seams.isEmpty == false)
        }
        #expect(factor < WorkGrowth.limit, "\(factor)")
    }

    @Test("A moved list gives each row once")
    func moved() throws {
        let scroll = try #require(
            Self.scrolls([Page(query: "limit=3", changes: 0..<3), Page(query: "limit=3&offset=3", changes: 2..<5)])
                .first
        )
        #expect(scroll.rows.map(\.item.name) == ["set-0", "set-1", "set-2", "set-3", "set-4"])
        #expect(!scroll.isWhole)
    }

    @Test("A page from the top begins anew, unless the one before it failed")
    func anew() {
        let twice = Self.scrolls([
            Page(query: "limit=3", changes: 0..<3), Page(query: "limit=3&offset=3", changes: 3..<5),
            Page(query: "limit=3", changes: 0..<3),
        ])
        #expect(twice.map(\.pages.count) == [2, 1])
        let retried = Self.scrolls([Page(query: "limit=3", changes: nil), Page(query: "limit=3", changes: 0..<2)])
        #expect(retried.map(\.pages.count) == [2])
        #expect(retried.first?.rows.count == 2)
    }

    @Test("Searches are lists too, each query its own, and the portal's count says where they end")
    func searches() throws {
        var catalogue = DatasetCatalogue()
        let names = ["a", "b", "c"]
        for (index, call) in ["q=x&rows=2", "rows=2&start=2&q=x", "q=y&rows=2"].enumerated() {
            let packages = (index == 1 ? ["c"] : ["a", "b"]).map { PortalCapture.package(named: $0) }
            let result = PortalCapture.found(packages, count: 3)
            catalogue.add(
                PortalCapture.of("package_search?" + call, result: result, id: Int64(index + 1)),
                lens: "ckan"
            )
        }
        #expect(catalogue.scrolls.count == 2)
        #expect(catalogue.scrolls.first?.rows.map(\.item.name) == names)
        #expect(catalogue.scrolls.first?.isWhole == true)
        #expect(catalogue.scrolls.last?.isWhole == false)
    }

    @Test("Pages at the end of all numbers do no harm")
    func far() {
        let scrolls = Self.scrolls([
            Page(query: "limit=9223372036854775807&offset=9223372036854775807", changes: 0..<2),
            Page(query: "limit=9223372036854775807&offset=9223372036854775807", changes: nil),
        ])
        #expect(scrolls.first?.rows.isEmpty == false)
    }
}
