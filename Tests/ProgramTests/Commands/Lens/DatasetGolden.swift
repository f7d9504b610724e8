import Support
import Traffic

/// Questions to the place of the open-data portal, and captures that answer them.
enum DatasetGolden {
    private static let host = "ckan0.cf.opendata.inter.prod-toronto.ca"

    private static func package(_ name: String, _ title: String, _ refresh: String) -> String {
        #"{"id":"id-\#(name)","name":"\#(name)","title":"\#(title)","refresh_rate":"\#(refresh)","formats":["CSV"],"#
            + #""topics":["Health"],"owner_division":"Parks, Forestry","last_refreshed":"2026-11-01T00:00:00.000001","#
            + #""metadata_modified":"2026-11-01T00:00:00.000001","#
            + #""resources":[{"id":"r-\#(name)","url":"https://portal.example/\#(name)"}]}"#
    }

    private static let packages = [
        package("rinks", "Rinks", "Daily"), package("wards", "Same", "As available"),
        package("beaches", "Same", "Monthly"),
    ]

    private static func change(_ id: Int) -> String {
        #"[{"id":"c\#(id)","timestamp":"2026-11-01T00:00:00.1","object_id":"o","data":{"package":\#(packages[0])}}]"#
    }

    private static func sample(
        _ token: CaptureToken,
        _ target: String,
        host: String = host,
        scheme: Scheme = .https,
        _ body: String
    ) -> Sample {
        Sample(
            token,
            "GET",
            target,
            scheme: scheme,
            host: host,
            fields: "Content-Type: application/json\r\nDate: Sat, 21 Nov 2026 18:00:00 GMT\r\n",
            responseBody: Array(body.utf8)
        )
    }

    /// A store with a search, two pages of changes with a gap between them, a map, notices, and something else; two datasets of one title are saved.
    static func store() async throws -> CapturedStore {
        let store = try CapturedStore()
        let row = #"{"geometry":{"type":"MultiPoint","coordinates":[[1,2]]}}"#
        let calls = [
            (
                #"package_search?facet.field=["topics"]"#,
                #"{"count":3,"facets":{"topics":{"Health":7}},"results":[\#(packages.joined(separator: ","))]}"#
            ), ("recently_changed_packages_activity_list?limit=1", change(1)),
            ("recently_changed_packages_activity_list?offset=2&limit=1", change(3)),
            ("datastore_search?id=r-rinks", #"{"fields":[],"records":[\#(row)],"total":1}"#),
        ]
        for (place, (call, result)) in calls.enumerated() {
            let body = #"{"help":"x","success":true,"result":\#(result)}"#
            try await store.record(sample(CaptureToken(place + 1), "/api/3/action/" + call, body))
        }
        let notices = #"{"Records":[{"noticeId":7,"title":"Road\u001b[2J closed"}]}"#
        try await store.record(sample(5, "/nm/notices.json", host: "app.toronto.ca", scheme: .http, notices))
        try await store.record(sample(6, "/index.html", host: "api.example.test", "hello"))
        let saved = try await store.inspect("datasets", "--save", "wards")
        guard saved.status == 0 else { throw CapturedStore.NotRecorded() }
        return store
    }

    static let all = [
        PlaceGolden(
            place: "datasets",
            options: [("sort", "title")],
            arguments: ["datasets", "--sort", "title"],
            json: #"""
                {"total":3,"matched":3,"datasets":[{"id":"id-rinks","name":"rinks","title":"Rinks","division":"Parks, Forestry",\#
                "type":null,"refreshRate":"Daily","formats":["CSV"],"topics":["Health"],"civicIssues":[],"tags":[],"licence":null,\#
                "retired":false,"lastRefreshed":"2026-11-01T00:00:00.000Z","modified":"2026-11-01T00:00:00.000Z","created":null,\#
                "age":"2026-11-01, 20 days ago","content":"stale","overdueSeconds":1619999,"overdue":"18 days","notes":null,\#
                "link":"https://open.toronto.ca/dataset/rinks/","resources":[{"id":"r-rinks","name":"r-rinks","format":null,\#
                "records":null,"inDatastore":false,"url":"https://portal.example/rinks"}],"opened":false,"saved":false,\#
                "sameTitle":[],"exchange":3,"seen":"2026-11-21T18:00:00.000Z","request":"Recently Changed, rows 3–3"},\#
                {"id":"id-beaches","name":"beaches","title":"Same","division":"Parks, Forestry","type":null,"refreshRate":"Monthly",\#
                "formats":["CSV"],"topics":["Health"],"civicIssues":[],"tags":[],"licence":null,"retired":false,\#
                "lastRefreshed":"2026-11-01T00:00:00.000Z","modified":"2026-11-01T00:00:00.000Z","created":null,\#
                "age":"2026-11-01, 20 days ago","content":"fresh","overdueSeconds":null,"overdue":null,"notes":null,\#
                "link":"https://open.toronto.ca/dataset/beaches/","resources":[{"id":"r-beaches","name":"r-beaches","format":null,\#
                "records":null,"inDatastore":false,"url":"https://portal.example/beaches"}],"opened":false,"saved":true,\#
                "sameTitle":["wards"],"exchange":1,"seen":"2026-11-21T18:00:00.000Z","request":"Topics"},{"id":"id-wards",\#
                "name":"wards","title":"Same","division":"Parks, Forestry","type":null,"refreshRate":"As available",\#
                "formats":["CSV"],"topics":["Health"],"civicIssues":[],"tags":[],"licence":null,"retired":false,\#
                "lastRefreshed":"2026-11-01T00:00:00.000Z","modified":"2026-11-01T00:00:00.000Z","created":null,\#
                "age":"2026-11-01, 20 days ago","content":"unscheduled","overdueSeconds":null,"overdue":null,"notes":null,\#
                "link":"https://open.toronto.ca/dataset/wards/","resources":[{"id":"r-wards","name":"r-wards","format":null,\#
                "records":null,"inDatastore":false,"url":"https://portal.example/wards"}],"opened":false,"saved":true,\#
                "sameTitle":["beaches"],"exchange":1,"seen":"2026-11-21T18:00:00.000Z","request":"Topics"}]}
                """#
        ),
        PlaceGolden(
            place: "datasets",
            options: [("stale", "true"), ("sort", "-name"), ("division", "parks*"), ("search", "rinks")],
            arguments: ["datasets", "--stale", "--sort", "-name", "--division", "parks*", "--search", "rinks"],
            json: #"""
                {"total":3,"matched":1,"datasets":[{"id":"id-rinks","name":"rinks","title":"Rinks","division":"Parks, Forestry",\#
                "type":null,"refreshRate":"Daily","formats":["CSV"],"topics":["Health"],"civicIssues":[],"tags":[],"licence":null,\#
                "retired":false,"lastRefreshed":"2026-11-01T00:00:00.000Z","modified":"2026-11-01T00:00:00.000Z","created":null,\#
                "age":"2026-11-01, 20 days ago","content":"stale","overdueSeconds":1619999,"overdue":"18 days","notes":null,\#
                "link":"https://open.toronto.ca/dataset/rinks/","resources":[{"id":"r-rinks","name":"r-rinks","format":null,\#
                "records":null,"inDatastore":false,"url":"https://portal.example/rinks"}],"opened":false,"saved":false,\#
                "sameTitle":[],"exchange":3,"seen":"2026-11-21T18:00:00.000Z","request":"Recently Changed, rows 3–3"}]}
                """#
        ),
        PlaceGolden(
            place: "datasets",
            options: [("opened", ""), ("refresh", "daily"), ("refresh", "monthly")],
            arguments: ["datasets", "--opened", "--refresh", "daily", "--refresh", "monthly"],
            json: #"""
                {"total":3,"matched":0,"datasets":[]}
                """#
        ),
        PlaceGolden(
            place: "datasets",
            options: [("dataset", "rinks")],
            arguments: ["datasets", "--dataset", "rinks"],
            json: #"""
                {"id":"id-rinks","name":"rinks","title":"Rinks","division":"Parks, Forestry","type":null,"refreshRate":"Daily",\#
                "formats":["CSV"],"topics":["Health"],"civicIssues":[],"tags":[],"licence":null,"retired":false,\#
                "lastRefreshed":"2026-11-01T00:00:00.000Z","modified":"2026-11-01T00:00:00.000Z","created":null,\#
                "age":"2026-11-01, 20 days ago","content":"stale","overdueSeconds":1619999,"overdue":"18 days","notes":null,\#
                "link":"https://open.toronto.ca/dataset/rinks/","resources":[{"id":"r-rinks","name":"r-rinks","format":null,\#
                "records":null,"inDatastore":false,"url":"https://portal.example/rinks"}],"opened":false,"saved":false,\#
                "sameTitle":[],"exchange":3,"seen":"2026-11-21T18:00:00.000Z","request":"Recently Changed, rows 3–3"}
                """#
        ),
        PlaceGolden(
            place: "datasets",
            options: [("dataset", "Same")],
            arguments: ["datasets", "--dataset", "Same"],
            json: #"""
                {"total":3,"matched":2,"datasets":[{"id":"id-beaches","name":"beaches","title":"Same","division":"Parks, Forestry",\#
                "type":null,"refreshRate":"Monthly","formats":["CSV"],"topics":["Health"],"civicIssues":[],"tags":[],"licence":null,\#
                "retired":false,"lastRefreshed":"2026-11-01T00:00:00.000Z","modified":"2026-11-01T00:00:00.000Z","created":null,\#
                "age":"2026-11-01, 20 days ago","content":"fresh","overdueSeconds":null,"overdue":null,"notes":null,\#
                "link":"https://open.toronto.ca/dataset/beaches/","resources":[{"id":"r-beaches","name":"r-beaches","format":null,\#
                "records":null,"inDatastore":false,"url":"https://portal.example/beaches"}],"opened":false,"saved":true,\#
                "sameTitle":["wards"],"exchange":1,"seen":"2026-11-21T18:00:00.000Z","request":"Topics"},{"id":"id-wards",\#
                "name":"wards","title":"Same","division":"Parks, Forestry","type":null,"refreshRate":"As available",\#
                "formats":["CSV"],"topics":["Health"],"civicIssues":[],"tags":[],"licence":null,"retired":false,\#
                "lastRefreshed":"2026-11-01T00:00:00.000Z","modified":"2026-11-01T00:00:00.000Z","created":null,\#
                "age":"2026-11-01, 20 days ago","content":"unscheduled","overdueSeconds":null,"overdue":null,"notes":null,\#
                "link":"https://open.toronto.ca/dataset/wards/","resources":[{"id":"r-wards","name":"r-wards","format":null,\#
                "records":null,"inDatastore":false,"url":"https://portal.example/wards"}],"opened":false,"saved":true,\#
                "sameTitle":["beaches"],"exchange":1,"seen":"2026-11-21T18:00:00.000Z","request":"Topics"}]}
                """#
        ),
        PlaceGolden(
            place: "datasets",
            options: [("facet", "topic")],
            arguments: ["datasets", "--facet", "topic"],
            json: #"""
                {"facet":"topics","field":"topics","portalExchange":1,"values":[{"value":"Health","captured":3,"portal":7}]}
                """#
        ),
        PlaceGolden(
            place: "datasets",
            options: [("scroll", "true")],
            arguments: ["datasets", "--scroll"],
            json: #"""
                {"scrolls":[{"request":"Recently Changed","whole":false,"pages":[{"exchange":2,"start":0,"limit":1,"rows":1,\#
                "outcome":"200"},{"exchange":3,"start":2,"limit":1,"rows":1,"outcome":"200"}],"seams":[{"kind":"gap","first":2,"last":2,\#
                "message":"gap, row 2: no page brought them; #3 goes on after them"}],"rows":[{"row":1,"title":"Rinks","name":"rinks",\#
                "changed":"2026-11-01T00:00:00.100Z","exchange":2},{"row":3,"title":"Rinks","name":"rinks",\#
                "changed":"2026-11-01T00:00:00.100Z","exchange":3}]}]}
                """#
        ),
        PlaceGolden(
            place: "datasets",
            options: [("map", "true")],
            arguments: ["datasets", "--map"],
            json: #"""
                {"maps":[{"resource":"r-rinks","dataset":"rinks","total":1,"read":1,"pins":0,"others":1,"withoutGeometry":0,\#
                "unreadable":0,"extent":[1.0,2.0,1.0,2.0],"types":{"MultiPoint":1},"withoutPin":[{"reason":"no point","count":1,\#
                "rows":[[1,1]]}],"exchanges":[4]}]}
                """#
        ),
        PlaceGolden(
            place: "datasets",
            options: [("notices", "true")],
            arguments: ["datasets", "--notices"],
            json: #"""
                {"notices":[{"id":7,"title":"Road\u001b[2J closed","page":"http://app.toronto.ca/nm/api/individual/notice/7.do"}]}
                """#
        ),
        PlaceGolden(
            place: "datasets",
            options: [("from-capture", "2")],
            arguments: ["datasets", "--from-capture", "2"],
            json: #"""
                {"total":1,"matched":1,"datasets":[{"id":"id-rinks","name":"rinks","title":"Rinks","division":"Parks, Forestry",\#
                "type":null,"refreshRate":"Daily","formats":["CSV"],"topics":["Health"],"civicIssues":[],"tags":[],"licence":null,\#
                "retired":false,"lastRefreshed":"2026-11-01T00:00:00.000Z","modified":"2026-11-01T00:00:00.000Z","created":null,\#
                "age":"2026-11-01, 20 days ago","content":"stale","overdueSeconds":1619999,"overdue":"18 days","notes":null,\#
                "link":"https://open.toronto.ca/dataset/rinks/","resources":[{"id":"r-rinks","name":"r-rinks","format":null,\#
                "records":null,"inDatastore":false,"url":"https://portal.example/rinks"}],"opened":false,"saved":false,\#
                "sameTitle":[],"exchange":2,"seen":"2026-11-21T18:00:00.000Z","request":"Recently Changed, rows 1–1"}]}
                """#
        ),
    ]
}
