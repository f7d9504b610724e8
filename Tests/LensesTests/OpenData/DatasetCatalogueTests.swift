import Foundation
import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct DatasetCatalogueTests {
    private func catalogue(_ captures: [Capture]) -> DatasetCatalogue {
        var catalogue = DatasetCatalogue()
        for capture in captures { catalogue.add(capture, lens: "ckan") }
        return catalogue
    }

    /// A catalogue of five datasets that differ in everything that is selected by.
    private var varied: DatasetCatalogue {
        let packages = [
            PortalCapture.package(named: "rinks", ["title": "\"Rinks\"", "owner_division": "\"Parks, Forestry\""]),
            PortalCapture.package(named: "beaches", ["refresh_rate": "\"Daily\"", "topics": #"["Health"]"#]),
            PortalCapture.package(named: "wards", ["formats": #"["XLSX"]"#, "dataset_category": "\"Document\""]),
            PortalCapture.package(
                named: "old",
                ["is_retired": "true", "metadata_modified": "\"2011-01-01T00:00:00.1\""]
            ),
            PortalCapture.package(
                named: "new",
                [
                    "metadata_modified": "\"2026-11-20T00:00:00.1\"", "tags": #"[{"name":"ice"}]"#,
                    "notes": "\"Cold Café\"",
                ]
            ),
        ]
        return catalogue([
            PortalCapture.of("package_search?rows=50", result: PortalCapture.found(packages)),
            PortalCapture.of("package_show?id=rinks", result: packages[0], id: 2),
        ])
    }

    @Test("The newest copy of each dataset is kept: modified later, else seen later")
    func newest() {
        let old = PortalCapture.package(["title": "\"Old\"", "metadata_modified": "\"2020-01-01T00:00:00.1\""])
        let new = PortalCapture.package(["title": "\"New\"", "metadata_modified": "\"2026-01-01T00:00:00.1\""])
        let later = "Sat, 21 Nov 2026 19:00:00 GMT"
        let first = catalogue([
            PortalCapture.of("package_show?id=a", result: new, id: 1),
            PortalCapture.of("package_show?id=a", result: old, id: 2, date: later),
        ])
        #expect(first.datasets.map(\.dataset.title) == ["New"])
        let second = catalogue([
            PortalCapture.of("package_show?id=a", result: new, id: 1),
            PortalCapture.of("package_show?id=a", result: new, id: 2, date: later),
        ])
        #expect(second.datasets.map(\.exchange) == [2])
        #expect(second.exchanges == 2)
    }

    /// The standard selection with a change.
    private static func selection(_ change: (inout DatasetSelection) -> Void) -> DatasetSelection {
        var selection = DatasetSelection()
        change(&selection)
        return selection
    }

    @Test("Datasets are selected by what they are, whole values ignoring case, a star standing for anything")
    func selected() {
        let facets: [(DatasetFacet, [String], [String])] = [
            (.division, ["parks*"], ["rinks"]), (.division, ["parks"], []), (.topics, ["health"], ["beaches"]),
            (.formats, ["xlsx", "nothing"], ["wards"]), (.type, ["document"], ["wards"]),
            (.refresh, ["daily"], ["beaches"]), (.tags, ["ICE"], ["new"]),
            (.licence, ["open*"], ["new", "beaches", "rinks", "wards", "old"]),
        ]
        for (facet, values, expected) in facets {
            let selection = Self.selection { $0.values[facet] = values }
            #expect(selection.datasets(of: varied).map(\.dataset.name) == expected, "\(facet)")
        }
        let words: [([String], [String])] = [(["café", "cold"], ["new"]), (["café", "hot"], [])]
        for (words, expected) in words {
            #expect(Self.selection { $0.words = words }.datasets(of: varied).map(\.dataset.name) == expected)
        }
        #expect(Self.selection { $0.wantsStale = true }.datasets(of: varied).map(\.dataset.name) == ["beaches"])
        #expect(Self.selection { $0.wantsRetired = true }.datasets(of: varied).map(\.dataset.name) == ["old"])
        #expect(Self.selection { $0.wantsOpened = true }.datasets(of: varied).map(\.dataset.name) == ["rinks"])
    }

    @Test(
        "Datasets are sorted, equals by title",
        arguments: [
            (.modified, true, ["new", "beaches", "rinks", "wards", "old"]),
            (.modified, false, ["old", "beaches", "rinks", "wards", "new"]),
            (.name, false, ["beaches", "new", "old", "rinks", "wards"]),
            (.title, true, ["wards", "rinks", "old", "new", "beaches"]),
            (.division, false, ["rinks", "beaches", "new", "old", "wards"]),
        ] as [(DatasetSelection.Order, Bool, [String])]
    )
    func sorted(order: DatasetSelection.Order, isDescending: Bool, expected: [String]) {
        let selection = Self.selection { ($0.order, $0.isDescending) = (order, isDescending) }
        #expect(selection.datasets(of: varied).map(\.dataset.name) == expected)
    }

    @Test(
        "A star stands for anything",
        arguments: [
            ("Parks, Forestry", "parks*", true), ("Parks", "*ark*", true), ("abc", "a*b*c", true),
            ("abc", "ab*bc", false),
            ("abc", "*", true), ("abc", "", false), ("abc", "a**c", true), ("abcabc", "*bc*a*", true),
            ("abc", "*d*", false),
        ]
    )
    func pattern(value: String, wanted: String, isMatch: Bool) {
        let package = PortalCapture.package(["owner_division": "\"\(value)\""])
        let selection = Self.selection { $0.values[.division] = [wanted] }
        let selected = selection.datasets(of: catalogue([PortalCapture.of("package_show?id=x", result: package)]))
        #expect(selected.count == (isMatch ? 1 : 0))
    }

    @Test("Two datasets of one title are said to be one favourite")
    func collision() {
        let catalogue = catalogue([
            PortalCapture.of(
                "package_search",
                result: PortalCapture.found(
                    ["a", "b", "c"].map {
                        PortalCapture.package(named: $0, $0 == "c" ? [:] : ["title": "\"Same\""])
                    }
                )
            )
        ])
        #expect(catalogue.datasets(named: "same").map(\.dataset.name) == ["a", "b"])
        #expect(catalogue.datasets(named: "b").map(\.dataset.name) == ["b"])
        #expect(
            catalogue.collisions(catalogue.datasets).map { $0.hasPrefix("“Same” is the title of 2 datasets (a, b)") }
                == [true]
        )
        #expect(catalogue.collisions(catalogue.datasets(named: "c")).isEmpty)
    }

    @Test("What the captures show opened is what the app opened: a page, a package by name, a history")
    func opened() {
        let packages = ["a", "b", "c", "d"].map { PortalCapture.package(named: $0) }
        let catalogue = catalogue([
            PortalCapture.of("package_search", result: PortalCapture.found(packages)),
            PortalCapture.of("package_show?id=id-a", result: packages[0]),
            PortalCapture.of("package_search?fq=name:b", result: PortalCapture.found([packages[1]])),
            PortalCapture.of("package_activity_list?id=C", code: 404, body: "<html></html>"),
        ])
        #expect(catalogue.datasets.filter { catalogue.isOpened($0.dataset) }.map(\.dataset.name) == ["a", "b", "c"])
    }

    @Test("Facets count the captures beside what the portal counted under no filter")
    func facets() {
        var catalogue = varied
        let counts = #"{"topics":{"Transportation":9,"Water":2}}"#
        let counted = PortalCapture.found([], facets: counts)
        catalogue.add(
            PortalCapture.of("package_search?facet.field=[\"topics\"]&rows=0", result: counted, id: 7),
            lens: "ckan"
        )
        let filtered = PortalCapture.found([], facets: #"{"topics":{"Transportation":1}}"#)
        catalogue.add(PortalCapture.of("package_search?fq=a:b", result: filtered, id: 8), lens: "ckan")
        guard case .table(let table) = catalogue.facet(.topics, of: catalogue.datasets).content else {
            Issue.record("there is no table")
            return
        }
        #expect(
            table.rows.map { $0.map(\.text) } == [
                ["Locations and mapping", "4", "0"], ["Transportation", "4", "9"], ["Health", "1", "0"],
                ["Water", "0", "2"],
            ]
        )
        #expect(DatasetFacet(named: "Publisher") == .division)
        #expect(DatasetFacet(named: "civic-issues") == .civicIssues)
        #expect(DatasetFacet(named: "x") == nil)
    }

    /// Rows of a resource by the types of their geometry.
    private func page(_ types: [String], start: Int, id: ExchangeID, of resource: String = "71fdb11f-aaaa") -> Capture {
        let records = types.map { #"{"geometry":{"type":"\#($0)","coordinates":[1,2]}}"# }.joined(separator: ",")
        return PortalCapture.of(
            "datastore_search?id=\(resource)&offset=\(start)",
            result: #"{"resource_id":"\#(resource)","fields":[],"total":9,"records":[\#(records)]}"#,
            id: id
        )
    }

    @Test("A map is counted over its pages, a page read again once")
    func maps() throws {
        let catalogue = catalogue([
            page(["Point", "Point"], start: 0, id: 1), page(["Polygon"], start: 2, id: 2),
            page(["Point", "Point"], start: 0, id: 3),
            PortalCapture.of("package_show?id=x", result: PortalCapture.package()),
            PortalCapture.of("datastore_search?id=scores", result: #"{"fields":[],"records":[{"a":1}]}"#),
        ])
        let map = try #require(catalogue.resourceMaps.first)
        #expect(catalogue.resourceMaps.count == 1)
        #expect(map.geometry.sentence == "2 points, 1 Polygon")
        #expect(map.exchanges == [3, 2])
        let card = catalogue.card(try #require(catalogue.datasets(named: "cycling-network").first))
        let said = LensField("Map", "2 points, 1 Polygon; 1 is no point (C3): row 3; 6 were not asked for: rows 4–9")
        #expect(card.contains { if case .fields(let fields) = $0.content { fields.contains(said) } else { false } })
        #expect(catalogue.owners[map.resource]?.name == "cycling-network")
    }

    @Test("Every row without a pin is named, with its reason, and so are those that no page brought")
    func rowsWithoutPin() throws {
        let shapes = [
            #"{"type":"Point","coordinates":[1,2]}"#, #"{"type":"Polygon","coordinates":[[[1,2]]]}"#, "null", #""x""#,
            #"{"type":"Point","coordinates":[3,4]}"#,
        ]
        func page(_ shapes: [String], start: Int, id: ExchangeID) -> Capture {
            let records = shapes.map { #"{"geometry":\#($0)}"# }.joined(separator: ",")
            return PortalCapture.of(
                "datastore_search?id=r&offset=\(start)",
                result: #"{"resource_id":"r","fields":[],"total":9,"records":[\#(records)]}"#,
                id: id
            )
        }
        // The last page has a row that the first one has.
        let catalogue = catalogue([
            page(shapes, start: 0, id: 1), page([shapes[1]], start: 7, id: 2), page([shapes[4]], start: 4, id: 3),
        ])
        var json = JSONWriter()
        catalogue.writeMaps(to: &json)
        let map = try #require(try JSONReader.value(json.take())["maps"]?.elements?.first)
        let told = map["withoutPin"]?.elements?.map { entry in
            let rows = (entry["rows"]?.elements ?? []).map { $0.elements?.compactMap(\.integer) ?? [] }
            return "\(entry["reason"]?.string ?? "") \(entry["count"]?.integer ?? 0) \(rows)"
        }
        #expect(
            told == [
                "no point 2 [[2, 2], [8, 8]]", "no geometry 1 [[3, 3]]", "unreadable 1 [[4, 4]]",
                "not asked for 3 [[6, 7], [9, 9]]",
            ]
        )
    }

    @Test("A dataset's age counts from the field that the check takes, by the same clock, in the same words")
    func age() throws {
        let package = PortalCapture.package(["refresh_rate": "\"Daily\""], without: ["last_refreshed"])
        let capture = PortalCapture.of("package_show?id=x", result: package)
        let catalogue = catalogue([capture])
        var json = JSONWriter()
        catalogue.write(catalogue.datasets, to: &json)
        let dataset = try #require(try JSONReader.value(json.take())["datasets"]?.elements?.first)
        let age = try #require(dataset["age"]?.string)
        let overdue = try #require(dataset["overdue"]?.string)
        #expect(age == "2026-09-14, 2 months ago" && overdue == "2 months")
        let finding = try #require(CKANLens().findings(capture).first { $0.rule == "CK-11" })
        #expect(finding.message.hasSuffix("was refreshed \(age), and is overdue by \(overdue)"), "\(finding.message)")
        #expect(finding.pointer == "/result/metadata_modified")
    }

    @Test(
        "Rows that several pages have are counted once, whichever came first",
        arguments: [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [3, 0, 4, 2, 1]]
    )
    func overlaps(order: [Int]) throws {
        let rows = ["Point", "Point", "Polygon", "LineString", "Point", "MultiPoint"]
        // Rows 0 to 2, 1 to 4, 2 and 3, the first alone once more, and from 5 on.
        let ranges = [0..<3, 1..<5, 2..<4, 0..<1, 5..<6]
        let catalogue = catalogue(
            order.map { page(Array(rows[ranges[$0]]), start: ranges[$0].lowerBound, id: ExchangeID($0 + 1)) }
        )
        let map = try #require(catalogue.resourceMaps.first)
        #expect(map.geometry.sentence == "3 points, 1 LineString, 1 MultiPoint, 1 Polygon")
        #expect(map.geometry.records == 6 && map.exchanges == [1, 2, 5])
    }

    @Test("The datasets of many maps are not looked for among all datasets each")
    func manyMaps() throws {
        let factor = try WorkGrowth.factor(of: 100) { count in
            let packages = (0..<count).map { index in
                let resources = (0..<4).map { #"{"id":"r\#(index)-\#($0)"}"# }.joined(separator: ",")
                return PortalCapture.package(named: "set-\(index)", ["resources": "[\(resources)]"])
            }
            let pages = (0..<count).map { page(["Point"], start: 0, id: 2, of: "r\($0)-3") }
            return catalogue([PortalCapture.of("package_search", result: PortalCapture.found(packages))] + pages)
        } work: { (catalogue: DatasetCatalogue) in
            guard case .table(let table) = catalogue.mapSections[0].content else { return }
            #expect(table.rows.first?.first?.text == "Set-0")
        }
        #expect(factor < WorkGrowth.limit, "\(factor)")
    }

    @Test("A program reads a dataset with its content's state and where it came from")
    func json() throws {
        var json = JSONWriter()
        let catalogue = varied
        catalogue.write(catalogue.datasets(named: "beaches"), to: &json)
        let value = try JSONReader.value(json.take())
        let dataset = try #require(value["datasets"]?.elements?.first)
        #expect(value["total"]?.integer == 5)
        #expect(value["matched"]?.integer == 1)
        #expect(dataset["content"]?.string == "stale")
        #expect(dataset["overdueSeconds"]?.integer == 5_697_916)
        #expect(dataset["lastRefreshed"]?.string == "2026-09-14T19:14:43.338Z")
        #expect(dataset["link"]?.string == "https://open.toronto.ca/dataset/beaches/")
        #expect(dataset["exchange"]?.integer == 1)
        #expect(dataset["request"]?.string == "Datasets, rows 1–50")
    }
}
