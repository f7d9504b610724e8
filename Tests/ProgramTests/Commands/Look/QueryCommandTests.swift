import Archive
import Foundation
import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15))) struct QueryCommandTests {
    private static func store() async throws -> CapturedStore {
        let store = try CapturedStore()
        try await store.record(
            Sample(
                1,
                "GET",
                "/v2/rooms",
                code: 200,
                responseBody: Array("{\"name\": \"Red Room\", \"open_now\": true}".utf8)
            )
        )
        try await store.record(Sample(2, "GET", "/v2/halls", code: 500))
        try await store.record(Sample(3, "POST", "/v3", host: "cdn.test", code: 404))
        return store
    }

    @Test("A query argument selects in every listing, whole or in words, also one that begins with a negation")
    func selects() async throws {
        let store = try await Self.store()
        for arguments in [
            ["code:5xx or \"red room\""], ["path:/v2", "-host:cdn.test"], ["-host:cdn.test"], ["-(code:404)"],
        ] {
            let result = try await CommandLineTool.run(
                try Executable.inspect(),
                ["ls", "--store", store.path, "--jsonl"] + arguments
            )
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.split(separator: "\n").count == 2, "\(arguments)")
        }
        let exported = try await store.inspect("export", "--format", "jsonl", "--method", "GET", "code:500")
        #expect(exported.output.split(separator: "\n").count == 1)
        let counted = try await store.inspect("filter", "code:500 type:none,json", "--json")
        let listing = try JSONDecoder().decode(ListingJSON.self, from: Data(counted.outputBytes))
        #expect(listing.facets["code"]?.first { $0.value == "500" }?.selected == true)
        let nothing = try await store.inspect("filter", "code:500 -host:example.test")
        #expect(
            nothing.output.hasSuffix(
                "0 of 3 exchanges\nLooked for exchanges where the code is 500 and the host is not example.test or under it.\n"
            )
        )
    }

    @Test("A mistake is one line with the column, and a caret under it")
    func mistakes() async throws {
        let store = try await Self.store()
        for command in ["ls", "filter", "export", "tail", "search"] {
            let result = try await store.inspect(command, "method:get colour:red")
            #expect(result.status == 2)
            let lines = result.errors.split(separator: "\n")
            #expect(lines.count == 3, "\(result.errors)")
            #expect(lines.first?.hasPrefix("inspect: column 12: there is no key colour ") == true)
            #expect(lines.dropFirst().first == "  method:get colour:red")
            #expect(lines.last.map(String.init) == "  " + String(repeating: " ", count: 11) + "^")
        }
    }

    @Test("A negated key that is none is a mistake in the query, not in the options")
    func negatedMistake() async throws {
        let result = try await Self.store().inspect("ls", "-colour:red")
        #expect(result.status == 2 && result.errors.hasPrefix("inspect: column 2: there is no key colour"))
    }

    @Test("Another tool's form is a mistake that shows the form to write, not a search that finds nothing")
    func foreignForms() async throws {
        let store = try await Self.store()
        for (words, says) in [
            (["NOT", "code:200"], "column 1: a negation is written with a dash"),
            (["code!=200"], "column 1: this is written -code:200 "),
            (["code=200"], "column 1: this is written code:200 "),
            (["path:/v2 && code:200"], "column 10: "), (["path:/v2", "||", "code:200"], "column 10: "),
        ] {
            let result = try await CommandLineTool.run(
                try Executable.inspect(),
                ["ls", "--store", store.path] + words
            )
            #expect(result.status == 2, "\(words)")
            #expect(result.errors.hasPrefix("inspect: \(says)"), "\(result.errors)")
        }
    }

    @Test("search says where the text stands")
    func searches() async throws {
        let store = try await Self.store()
        let result = try await store.inspect("search", "red ROOM")
        #expect(result.output.contains("response body: {\"name\": \"Red Room\", \"open_now\": true}"))
        #expect(result.output.contains("1 of 3 exchanges"))
        let json = try await store.inspect("search", "resbody:/o.en_now/", "--json")
        #expect(json.output.contains("\"where\":\"response body\"") && json.output.contains("\"match\":\"open_now\""))
        #expect(try await store.inspect("search").status == 2)
    }

    @Test("complete prints keys and values seen")
    func completes() async throws {
        let store = try await Self.store()
        #expect(try await store.inspect("complete", "method:GET ho").output == "method:GET host:\n")
        #expect(try await store.inspect("complete", "host:c").output == "host:cdn.test\n")
        #expect(try await store.inspect("complete", "-host:c").output == "-host:cdn.test\n")
    }

    @Test("Values of a category stand by name, of many the most frequent; --values-by count puts those first")
    func valueOrder() async throws {
        let store = try CapturedStore()
        for (number, host) in ["b.test", "b.test", "a.test"].enumerated() {
            try await store.record(Sample(UInt64(number + 1), host: host))
        }
        #expect(try await store.inspect("filter").output.contains("  a.test (1)  b.test (2)\n"))
        #expect(try await store.inspect("filter", "--values-by", "count").output.contains("  b.test (2)  a.test (1)\n"))
        let json = try await store.inspect("filter", "--values-by", "count", "--json")
        let listing = try JSONDecoder().decode(ListingJSON.self, from: Data(json.outputBytes))
        #expect(listing.facets["host"]?.map(\.value) == ["b.test", "a.test"])
        #expect(listing.facets["code"]?.map(\.value) == ["200"])
        for number in 4...30 { try await store.record(Sample(UInt64(number), host: "h\(number / 2).test")) }
        let many = try await store.inspect("filter", "--host", "a.test").output
        #expect(many.contains("  a.test (1)*  b.test (2)  h10.test (2)  h11.test (2)"), "\(many)")
        #expect(!many.contains("h15.test") && many.contains("and 3 more"), "\(many)")
    }

    /// Six requests: 2 by http, 3 failed inside, 4 without a scheme, 5 without an answer, and one more of a method that only 5 has.
    private static func vectors() async throws -> CapturedStore {
        let store = try CapturedStore()
        try await store.record(Sample(1, "GET", "/a"))
        try await store.record(Sample(2, "GET", "/b", scheme: .http))
        try await store.record(Sample(3, "POST", "/c", code: 500))
        var bare = Sample(4, "GET", "/d", code: 404)
        bare.exchange.scheme = nil
        try await store.record(bare)
        try await store.open(Sample(5, "GET", "/e"))
        try await store.record(Sample(6, "HEAD", "/f", code: 301))
        try await store.record(Sample(7, "PUT", "/g").failed())
        return store
    }

    private static func wormholy(_ store: CapturedStore, _ arguments: [String]) async throws -> ListingJSON {
        let result = try await CommandLineTool.run(
            try Executable.inspect(),
            ["filter", "--compat", "wormholy", "--json", "--store", store.path] + arguments
        )
        return try JSONDecoder().decode(ListingJSON.self, from: Data(result.outputBytes))
    }

    @Test("With --compat wormholy a request without an answer counts nowhere, and a missing scheme in no category")
    func wormholyCounts() async throws {
        let store = try await Self.vectors()
        for arguments in [[], ["--method", "GET", "/a"]] {
            let facets = try await Self.wormholy(store, arguments).facets
            let counts = facets.mapValues { $0.map { "\($0.value) \($0.count)" } }
            #expect(
                counts == [
                    "code": ["200 2", "301 1", "404 1", "500 1"], "method": ["GET 3", "HEAD 1", "POST 1"],
                    "scheme": ["http 1", "https 3"],
                ]
            )
        }
        let selected = try await Self.wormholy(store, ["--method", "get", "--scheme", "https"]).facets
        #expect(selected["method"]?.filter(\.selected).map(\.value) == ["GET"])
        #expect(selected["scheme"]?.filter(\.selected).map(\.value) == ["https"])
    }

    @Test(
        "With --compat wormholy nothing selected is every request, and a selection stands beside all counted values of the others",
        arguments: [
            ([], [7, 6, 5, 4, 3, 2, 1]), (["/E"], [5]), (["--method", "GET"], [2, 1]), (["--code", "404"], []),
            (["--code", "200,500", "--method", "GET"], [2, 1]), (["--scheme", "https"], [6, 3, 1]),
            (["--code", "200", "--scheme", "http"], [2]), (["--method", "put"], []),
            (["--method", "GET,HEAD", "/f"], [6]), (["--host", "api.example.test"], [7, 6, 5, 4, 3, 2, 1]),
        ] as [([String], [ExchangeID])]
    )
    func wormholyRows(arguments: [String], ids: [ExchangeID]) async throws {
        let listing = try await Self.wormholy(try await Self.vectors(), arguments)
        #expect(listing.exchanges.map(\.id) == ids && listing.matched == ids.count && listing.total == 7)
    }
}
