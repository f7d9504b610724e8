import Testing
import Traffic

@Suite("What a filter selects", .timeLimit(.minutes(15)))
struct FilterTests {
    /// The six requests of the client's own test vectors: method, scheme, code, outcome.
    private static let vectors: [ExchangeSummary] = [
        line(1, "GET", .https, 200), line(2, "GET", .http, 200), line(3, "POST", .https, 500), line(4, "GET", nil, 404),
        line(5, "GET", .https, nil, .pending), line(6, "HEAD", .https, 301),
    ]

    private static func line(
        _ id: ExchangeID,
        _ method: String,
        _ scheme: Scheme?,
        _ code: Int?,
        _ outcome: Outcome = .completed
    ) -> ExchangeSummary {
        ExchangeSummary(
            id: id,
            started: id * 1000,
            duration: nil,
            method: method,
            scheme: scheme,
            host: "h.test",
            port: 80,
            target: "/",
            code: code,
            mediaType: nil,
            requestBytes: 0,
            responseBytes: 0,
            version: .http11,
            upstreamVersion: nil,
            outcome: outcome,
            failure: nil
        )
    }

    private func selected(_ terms: [(Facet, String)], since: Int64? = nil, before: Int64? = nil) throws -> [ExchangeID]
    {
        var filter = Filter()
        for (facet, text) in terms { filter.select(try FacetSelector(text, in: facet), in: facet) }
        filter.since = since
        filter.before = before
        return FilterTests.vectors.filter { filter.decision(on: $0) == true }.map(\.id)
    }

    @Test("Nothing selected means everything, pending ones too")
    func nothing() throws {
        #expect(try selected([]) == [1, 2, 3, 4, 5, 6])
        #expect(Filter().isEmpty)
    }

    @Test("A method selects whatever the scheme and the outcome, in any case")
    func method() throws {
        #expect(try selected([(.method, "get")]) == [1, 2, 4, 5])
        #expect(try selected([(.method, "GET")]) == [1, 2, 4, 5])
    }

    @Test("A code selects an exchange without a scheme too")
    func code() throws { #expect(try selected([(.code, "404")]) == [4]) }

    @Test("Values of a category are joined by OR, categories by AND")
    func orAnd() throws {
        #expect(try selected([(.code, "200"), (.code, "500"), (.method, "GET")]) == [1, 2])
        #expect(try selected([(.code, "pending"), (.code, "5xx")]) == [3, 5])
        #expect(try selected([(.scheme, "none")]) == [4])
    }

    @Test("The window of time includes its start and excludes its end")
    func window() throws {
        #expect(try selected([], since: 2000, before: 4000) == [2, 3])
        #expect(try selected([(.method, "GET")], since: 2001) == [4, 5])
    }

    @Test(
        "The code category has a value for every way an exchange can stand",
        arguments: [
            (200, .completed, "200"), (nil, .completed, "none"), (nil, .pending, "pending"), (200, .pending, "200"),
            (nil, .failed, "failed"), (502, .failed, "502"), (nil, .tunnelled, "tunnelled"),
            (nil, .cancelled, "cancelled"), (200, .cancelled, "200"),
        ] as [(Int?, Outcome, String)]
    )
    func codeValue(code: Int?, outcome: Outcome, value: String) {
        #expect(Facet.code.value(FilterTests.line(1, "GET", nil, code, outcome)) == value)
    }
}
