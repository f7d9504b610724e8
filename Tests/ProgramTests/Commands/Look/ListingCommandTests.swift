import Archive
import Foundation
import Lenses
import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15))) struct ListingCommandTests {
    /// The mix of the filter vectors: three GETs of different codes, a POST over http, one failure.
    private static func store() async throws -> CapturedStore {
        let store = try CapturedStore()
        try await store.record(Sample(1, "GET", "/a", code: 200))
        try await store.record(Sample(2, "GET", "/b", code: 500))
        try await store.record(Sample(3, "POST", "/c", scheme: .http, code: 500))
        try await store.record(Sample(4, "GET", "/d", host: "other.test", code: 404))
        try await store.record(Sample(5, "GET", "/e").failed())
        return store
    }

    private static func listing(_ result: CommandLineTool.Result) throws -> ListingJSON {
        try JSONDecoder().decode(ListingJSON.self, from: Data(result.outputBytes))
    }

    @Test("filter --json counts each category under the other categories' selections")
    func counts() async throws {
        let store = try await Self.store()
        let result = try await store.inspect("filter", "--code", "500", "--method", "get", "--json")
        #expect(result.status == 0 && result.errors.isEmpty)
        let listing = try Self.listing(result)
        #expect(listing.exchanges.map(\.id) == [2])
        #expect(listing.total == 5 && listing.matched == 1)
        let codes = try #require(listing.facets["code"])
        #expect(codes.first { $0.value == "500" } == FacetCount(value: "500", count: 1, selected: true))
        #expect(codes.first { $0.value == "failed" }?.count == 1)
        #expect(listing.facets["method"]?.first { $0.value == "POST" }?.count == 1)
    }

    @Test("filter prints categories with counts and a star, then rows, newest first")
    func prints() async throws {
        let store = try await Self.store()
        let result = try await store.inspect("filter", "--method", "GET")
        let lines = result.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("Code") == true)
        #expect(lines.first?.contains("200 (1)") == true && lines.first?.contains("no-answer (1)") == true)
        #expect(lines.contains { $0.hasPrefix("Method") && $0.contains("GET (4)*") && $0.contains("POST (1)") })
        let urls = lines.compactMap { $0.split(separator: " ").first { $0.hasPrefix("https://") } }
        #expect(
            urls == [
                "https://api.example.test/e", "https://other.test/d", "https://api.example.test/b",
                "https://api.example.test/a",
            ]
        )
        #expect(result.output.contains("[upstream connect: refused]"))
        #expect(result.output.contains("4 of 5 exchanges"))
        #expect(!result.output.contains("\u{1B}"))
    }

    @Test("Comma lists, repeated flags, classes and hosts select alike in ls")
    func selects() async throws {
        let store = try await Self.store()
        func ids(_ arguments: String...) async throws -> [ExchangeID] {
            let result = try await CommandLineTool.run(
                try Executable.inspect(),
                ["ls", "--jsonl", "--store", store.path] + arguments
            )
            return try result.output.split(separator: "\n").map {
                try JSONDecoder().decode(ExchangeRow.self, from: Data($0.utf8)).id
            }
        }
        #expect(try await ids("--code", "500,404") == [4, 3, 2])
        #expect(try await ids("--code", "500", "--code", "failed") == [5, 3, 2])
        #expect(try await ids("--code", "500", "--code", "no-answer") == [5, 3, 2])
        #expect(try await ids("--code", "5xx", "--scheme", "http") == [3])
        #expect(try await ids("--host", "example.test") == [5, 3, 2, 1])
        #expect(try await ids("--http-version", "1.1", "--outcome", "failed") == [5])
        #expect(try await ids("--since", "2025-11-20T14:02:03.459Z", "--before", "2025-11-20T14:02:03.461Z") == [4, 3])
        #expect(try await ids("--since", "1s") == [])
    }

    @Test("Client and lens are counted where there are any, and select as flags and as keys")
    func selectsClients() async throws {
        let store = try CapturedStore(classifier: LensSet.standard)
        try await store.record(Sample(1, "GET", "/whatsopen/v2/alerts/", host: "api.srct.gmu.edu"))
        try await store.record(Sample(2, "GET", "/api/3/action/package_show", host: "localhost"))
        try await store.record(Sample(3, "GET", "/plain"))
        let counted = try await store.inspect("filter").output
        #expect(counted.contains("\nClient   Toronto Open Data (1)  What's Open (1)  none (1)\n"))
        #expect(counted.contains("\nLens     ckan (1)  none (1)  whatsopen (1)\n"))
        for (arguments, ids) in [
            (["--client", "what's open"], [1]), (["--client", "toronto,none"], [3, 2]), (["client:open"], [2, 1]),
            (["--lens", "CKAN"], [2]), (["lens:w*"], [1]), (["-lens:none"], [2, 1]), (["--lens", "none"], [3]),
        ] {
            let result = try await CommandLineTool.run(
                try Executable.inspect(),
                ["ls", "--json", "--store", store.path] + arguments
            )
            #expect(try Self.listing(result).exchanges.map(\.id) == ids.map(Int64.init), "\(arguments)")
        }
        let plain = try await Self.store().inspect("filter").output
        #expect(!plain.contains("\nClient ") && !plain.contains("\nLens "))
        #expect(try await store.inspect("complete", "lens:c").output == "lens:ckan\n")
    }

    @Test("Pages follow one another without gap or repeat")
    func pages() async throws {
        let store = try await Self.store()
        var pages: [[ExchangeID]] = []
        var next: String?
        repeat {
            let after = next.map { ["--after", $0] } ?? []
            let result = try await CommandLineTool.run(
                try Executable.inspect(),
                ["ls", "--json", "--limit", "2", "--store", store.path] + after
            )
            let page = try Self.listing(result)
            pages.append(page.exchanges.map(\.id))
            next = page.next
        } while next != nil && pages.count < 20
        #expect(pages == [[5, 4], [3, 2], [1]])
    }

    @Test("An empty listing is no mistake")
    func allowsEmpty() async throws {
        let store = try CapturedStore()
        let result = try await store.inspect("ls")
        #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty)
        #expect(try await store.inspect("filter").status == 0)
    }

    @Test("A reader that stops early ends the command quietly")
    func endsOnClosedPipe() async throws {
        let store = try CapturedStore()
        let target = "/" + String(repeating: "long", count: 500)
        for token in 1...100 { try await store.record(Sample(CaptureToken(token), "GET", target)) }
        let script = #"{ "$0" ls --store "$1" --limit 1000; echo "status $?" >&2; } | head -n 1"#
        let result = try await CommandLineTool.run("sh", ["-c", script, try Executable.inspect(), store.path])
        #expect(result.errors == "status 0\n")
        #expect(result.output.split(separator: "\n").count == 1)
    }

    @Test("What was captured cannot drive the terminal")
    func escapes() async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1, "GET", "/\u{1B}]0;title\u{7}\u{202E}x\r\n"))
        for command in ["ls", "filter"] {
            let result = try await store.inspect(command)
            #expect(result.output.contains(#"/\e]0;title\u{7}\u{202E}x\r\n"#))
            #expect(
                !result.output.unicodeScalars.contains {
                    $0 == "\u{1B}" || $0 == "\u{7}" || $0 == "\u{202E}" || $0 == "\r"
                }
            )
        }
    }
}
