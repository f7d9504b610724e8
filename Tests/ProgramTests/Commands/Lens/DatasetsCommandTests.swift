import Foundation
import NIOCore
import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15))) struct DatasetsCommandTests {
    private static let fields =
        "Content-Type: application/json;charset=utf-8\r\nDate: Sat, 21 Nov 2026 18:00:00 GMT\r\n"

    private static func package(_ name: String, title: String, refresh: String) -> String {
        """
        {"id":"id-\(name)","name":"\(name)","title":"\(title)","refresh_rate":"\(refresh)","formats":["CSV"],"topics":["Health"],\
        "owner_division":"Parks, Forestry","last_refreshed":"2026-11-01T00:00:00.000001","metadata_modified":"2026-11-01T00:00:00.000001",\
        "resources":[{"id":"r-\(name)","url":"https://portal.example/\(name)"}]}
        """
    }

    private static func call(_ token: CaptureToken, _ call: String, _ result: String) -> Sample {
        Sample(
            token,
            "GET",
            "/api/3/action/" + call,
            host: "ckan0.cf.opendata.inter.prod-toronto.ca",
            fields: fields,
            responseBody: Array(#"{"help":"x","success":true,"result":\#(result)}"#.utf8)
        )
    }

    /// A store with a search, two pages of changes with a gap between them, a map, notices, and something else.
    private static func store() async throws -> CapturedStore {
        let store = try CapturedStore()
        let packages = [
            package("rinks", title: "Rinks", refresh: "Daily"),
            package("wards", title: "Same", refresh: "As available"),
            package("beaches", title: "Same", refresh: "Monthly"),
        ]
        let found = #"{"count":3,"facets":{"topics":{"Health":7}},"results":[\#(packages.joined(separator: ","))]}"#
        try await store.record(call(1, "package_search?facet.field=[\"topics\"]", found))
        let change = { (id: Int) in
            #"{"id":"c\#(id)","timestamp":"2026-11-01T00:00:00.1","object_id":"o","data":{"package":\#(packages[0])}}"#
        }
        try await store.record(call(2, "recently_changed_packages_activity_list?limit=1", "[\(change(1))]"))
        try await store.record(call(3, "recently_changed_packages_activity_list?offset=2&limit=1", "[\(change(3))]"))
        let row = #"{"geometry":{"type":"MultiPoint","coordinates":[[1,2]]}}"#
        try await store.record(call(4, "datastore_search?id=r-rinks", #"{"fields":[],"records":[\#(row)],"total":1}"#))
        let list = Array(#"{"Records":[{"noticeId":7,"title":"Road\u001b[2J closed"}]}"#.utf8)
        let notices = Sample(
            5,
            "GET",
            "/nm/notices.json",
            scheme: .http,
            host: "app.toronto.ca",
            fields: fields,
            responseBody: list
        )
        try await store.record(notices)
        try await store.record(Sample(6, "GET", "/index.html", responseBody: Array("hello".utf8)))
        try store.close()
        return store
    }

    private static func lines(_ result: CommandLineTool.Result) -> [String] {
        result.output.split(separator: "\n").map(String.init)
    }

    @Test("Datasets are listed with how fresh they are and where they came from")
    func listing() async throws {
        let store = try await Self.store()
        let all = try await store.inspect("datasets", "--sort", "name")
        #expect(all.status == 0, "\(all.errors)")
        #expect(Self.lines(all).first == "3 of 3 datasets")
        #expect(all.output.contains("keeps favourites by title"))
        let stale = try await store.inspect("datasets", "--stale", "--sort", "-name", "--division", "parks*")
        #expect(Self.lines(stale).first == "1 of 3 datasets")
        #expect(stale.output.contains("2026-11-01, 20 days ago"))
        let favourites = try await store.inspect("datasets", "--favourite", "wards", "--json")
        let value = try JSONReader.value(Array(favourites.output.utf8))
        #expect(value["matched"]?.integer == 2)
        #expect(value["datasets"]?.elements?.first?["sameTitle"]?.elements?.count == 1)
    }

    @Test("A dataset that was saved stays so by its title, until it is no more; --favourite stands for it once")
    func saved() async throws {
        let store = try await Self.store()
        let saved = try await store.inspect("datasets", "--save", "wards", "--saved")
        #expect(saved.status == 0 && Self.lines(saved).first == "2 of 3 datasets", "\(saved.output)\(saved.errors)")
        let all = try JSONReader.value(Array(try await store.inspect("datasets", "--json").output.utf8))
        #expect(all["datasets"]?.elements?.filter { $0["saved"]?.boolean == true }.count == 2)
        #expect(try await store.inspect("datasets", "--dataset", "rinks").output.contains(/Saved +no/))
        let once = try await store.inspect("datasets", "--favourite", "rinks")
        #expect(Self.lines(once).first == "1 of 3 datasets" && once.output.contains("★ "))
        #expect(Self.lines(try await store.inspect("datasets", "--saved")).first == "2 of 3 datasets")
        let unseen = try await store.inspect("datasets", "--saved", "--from-capture", "2")
        #expect(unseen.output.contains("Saved, and not in the captures: "), "\(unseen.output)")
        let none = try await store.inspect("datasets", "--remove", "wards", "--saved")
        #expect(Self.lines(none).first == "0 of 3 datasets", "\(none.output)\(none.errors)")
    }

    @Test("A card, a facet, endless lists, maps and notices are views of their own")
    func views() async throws {
        let store = try await Self.store()
        let card = try await store.inspect("datasets", "--dataset", "rinks")
        #expect(card.output.contains("stale: overdue by 18 days"))
        #expect(card.output.contains("https://open.toronto.ca/dataset/rinks/"))
        let facet = try await store.inspect("datasets", "--facet", "topics", "--json")
        let counts = try JSONReader.value(Array(facet.output.utf8))["values"]?.elements?.first
        #expect(counts?["captured"]?.integer == 3)
        #expect(counts?["portal"]?.integer == 7)
        let scroll = try await store.inspect("datasets", "--scroll")
        #expect(scroll.output.contains("gap, row 2: no page brought them; #3 goes on after them"))
        let map = try await store.inspect("datasets", "--map", "--json")
        let first = try JSONReader.value(Array(map.output.utf8))["maps"]?.elements?.first
        #expect(first?["dataset"]?.string == "rinks")
        #expect(first?["pins"]?.integer == 0)
        #expect(first?["types"]?["MultiPoint"]?.integer == 1)
        let notices = try await store.inspect("datasets", "--notices")
        #expect(notices.output.contains(#"Road\e[2J closed"#))
    }

    @Test("Exchanges are chosen by a query, or by number")
    func chosen() async throws {
        let store = try await Self.store()
        let none = try await store.inspect("datasets", "id:6")
        #expect(none.status == 0)
        #expect(none.output.contains("no exchange with the open-data portal"))
        let one = try await store.inspect("datasets", "--from-capture", "2")
        #expect(Self.lines(one).first == "1 of 1 dataset")
    }

    @Test(
        "A mistake is one line that names the remedy, and exit status 2",
        arguments: [
            (["--sort", "size"], "expected one of title, name, division, modified, refreshed"),
            (["--facet", "size"], "expected one of topics, formats"), (["--map", "--scroll"], "exclude each other"),
            (["--dataset", "rink"], "did you mean 'rinks'?"), (["--save", "rink"], "did you mean 'rinks'?"),
            (["--remove", "rink"], "did you mean 'rinks'?"),
            (["--favourite", "rinks", "--saved"], "leave out --saved"),
            (["--topic", "moon"], "--topic moon: nothing captured has it; "), (["--format", "x*"], "--format x*: "),
            (["--division", "parks*", "--division", "none"], "--division none: "),
            (["--facet", "tags", "--format", "mop"], "--format mop: "),
            (["--from-capture", "6"], "is not with the open-data portal"),
            (["--from-capture", "99"], "there is no exchange 99"), (["code:"], "code"),
        ]
    )
    func mistakes(arguments: [String], words: String) async throws {
        let store = try await Self.store()
        let result = try await CommandLineTool.run(
            try Executable.inspect(),
            ["datasets"] + arguments + ["--store", store.path]
        )
        #expect(result.status == 2)
        #expect(result.errors.contains(words), "\(result.errors)")
        #expect(result.errors.hasPrefix("inspect: "))
    }
}
