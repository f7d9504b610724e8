import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct CKANRequestTests {
    @Test(
        "A request is said in the app's words",
        arguments: [
            ("recently_changed_packages_activity_list?limit=30", "Recently Changed, rows 1–30"),
            ("recently_changed_packages_activity_list?limit=30&offset=30", "Recently Changed, rows 31–60"),
            ("recently_changed_packages_activity_list?offset=60&limit=30", "Recently Changed, rows 61–90"),
            ("tag_list?", "Tags"), ("tag_list", "Tags"), ("package_list?", "Packages"),
            ("package_search?fq=tags:economy", "Tag economy"),
            (
                "package_search?fq=tags:economy+owner_division:%22Parks,%20Forestry%20%26%20Recreation%22&sort=metadata_modified%20desc",
                "Tag economy, Publisher = Parks, Forestry & Recreation, newest first"
            ),
            (
                #"package_search?fq=owner_division:"Parks, Forestry"+formats:"CSV"&facet.field=["topics"]&sort=metadata_modified asc"#,
                "Topics, Publisher = Parks, Forestry, Format = CSV, oldest first"
            ),
            ("package_search?fq=tags:bike%20lane", "Tag bike lane"),
            (
                "package_search?fq=tags:economy+metadata_modified%20desc",
                "Tag economy, Order By “metadata_modified desc” inside fq"
            ),
            ("package_search?fq=name:cycling-network", "Package cycling-network"),
            ("package_search?facet.field=%5B%22topics%22%5D", "Topics"),
            ("package_search?facet.field=%5B%22civic_issues%22%5D", "Civic Issues"),
            ("package_search?fq=civic_issues:%22Mobility%22", "Civic Issue Mobility"),
            ("package_search?q=Transportation", "Topic Transportation"),
            ("package_search?facet.field=[%22owner_division%22]&rows=0", "Filter values of Publisher"),
            ("package_search?facet.field=[%22refresh_rate%22]&rows=0", "Filter values of Refresh Rate"),
            ("package_search?facet.field=[%22formats%22]&rows=0", "Filter values of Format"),
            ("package_search?facet.field=[%22dataset_category%22]&rows=0", "Filter values of Type"),
            ("package_search?q=tree&fq=tags:trees&start=10&rows=10", "Tag trees, text “tree”, rows 11–20"),
            ("package_search?rows=0", "Datasets, counts only"),
            ("package_search?fq=-formats:CSV", "Datasets, Format ≠ CSV"),
            ("datastore_search?id=22f223e7-73f7-4842-935c-80a0ba5c3e5b", "Quality Scores"),
            ("datastore_search?id=71fdb11f-aaaa", "Map of resource 71fdb11f-aaaa"),
            ("package_show?id=cycling-network", "Package cycling-network"), ("package_show", "Package without a name"),
            ("user_list?", "Admins"), ("user_show?id=jo", "Admin jo"), ("vocabulary_list?", "Vocabularies"),
            ("help_show?name=package_search", "Help on package_search"),
            ("package_autocomplete?q=cyc", "Autocomplete “cyc”"),
            ("package_activity_list?id=Street%20Trees", "History of Street Trees"),
            ("/api/3/action/\u{301}x", "Action \u{301}x"),
            ("group_list", "Action group_list"), ("/api/action/tag_list", "Tags"), ("/api/3/action/", "No action"),
            ("/", "No action"), ("package_search?rows=x&start=-4", "Datasets, start=-4, rows=x"),
            ("package_search?start=30", "Datasets, from row 31"),
            ("package_search?rows=9223372036854775807", "Datasets, rows=9223372036854775807"),
        ]
    )
    func words(call: String, expected: String) {
        #expect(CKANLens().view(PortalCapture.of(call)).request == expected)
    }

    @Test("Parameters of a JSON body count too")
    func posted() {
        for (body, expected) in [
            (
                #"{"fq":"tags:economy","rows":5,"start":10,"facet.field":["topics"],"x":null}"#,
                "Tag economy, rows 11–15"
            ), (#"{"rows":0,"facet.field":["topics"]}"#, "Filter values of Topic"),
        ] {
            let capture = PortalCapture.of("package_search", method: "POST", requestBody: body)
            #expect(CKANLens().view(capture).request == expected)
        }
    }

    @Test(
        "Pages of one list are known as such, whatever the order of their parameters",
        arguments: [
            ("package_search?fq=a:b&rows=3&start=6&sort=x", "package_search?start=9&sort=x&rows=3&fq=a:b", true),
            ("package_search?fq=a:b&rows=3", "package_search?fq=a:c&rows=3", false),
            ("package_search?id=x&rows=3", "package_activity_list?id=x&rows=3", false),
        ]
    )
    func key(left: String, right: String, isSame: Bool) {
        var catalogue = DatasetCatalogue()
        for (number, call) in [left, right].enumerated() {
            let isSearch = call.hasPrefix("package_search")
            let result = isSearch ? PortalCapture.found([PortalCapture.package()]) : PortalCapture.changes(0..<1)
            catalogue.add(PortalCapture.of(call, result: result, id: ExchangeID(number + 1)), lens: "ckan")
        }
        #expect(catalogue.scrolls.count == (isSame ? 1 : 2))
    }

    @Test(
        "What the app gets wrong is named from the request",
        arguments: [
            ("package_search?fq=tags:x+metadata_modified%20desc", "metadata_modified desc", nil, nil),
            ("package_search?fq=tags:bike%20lane+metadata_modified%20asc", "metadata_modified asc", "bike lane", nil),
            ("package_search?fq=tags:bike%20lane+formats:%22CSV%22", nil, "bike lane", nil),
            ("package_search?fq=tags:%22bike%20lane%22", nil, nil, nil),
            ("package_search?fq=tags:economy&sort=metadata_modified%20desc", nil, nil, nil),
            ("package_search?fq=title:desc", nil, nil, nil),
            ("package_activity_list?id=Street%20Trees", nil, nil, "Street Trees"),
            ("package_activity_list?id=street-trees", nil, nil, nil),
            ("package_activity_list?id=ABBE5EE3-e249-4f86-a219-f0022eaddcc9", nil, nil, nil),
            ("user_show?id=Jo%20Doe", nil, nil, nil),
        ] as [(String, String?, String?, String?)]
    )
    func mistakes(call: String, order: String?, tag: String?, title: String?) {
        let capture = PortalCapture.of(call, result: PortalCapture.found([PortalCapture.package()]))
        let named = CKANLens().findings(capture).filter { $0.side == .request }.map { "\($0.rule) \($0.message)" }
        let action = call.prefix { $0 != "?" }
        let expected = [
            order.map { "CK-C1 “\($0)” stands inside fq, not in sort" },
            tag.map { "CK-C2 the tag “\($0)” stands without quotes" },
            title.map { "CK-C4 “\($0)” is a title where \(action) wants a name or id" },
        ]
        #expect(named == expected.compactMap { $0 })
    }
}
