import Testing
import Traffic

@testable import inspect

@Suite("Colours on a terminal", .timeLimit(.minutes(15)))
struct StyleTests {
    @Test(
        "An outcome says more than a code: failures are red, and what its client left is dim",
        arguments: [
            (200, .completed, .green), (302, .completed, .cyan), (404, .completed, .yellow), (503, .completed, .red),
            (nil, .failed, .red), (200, .failed, .red), (nil, .cancelled, .dim), (200, .cancelled, .dim),
            (500, .cancelled, .dim), (nil, .pending, .dim), (nil, .tunnelled, .dim), (nil, .completed, nil),
        ] as [(Int?, Outcome, Style.Colour?)]
    )
    func colours(code: Int?, outcome: Outcome, colour: Style.Colour?) {
        #expect(Style.colour(code: code, outcome: outcome) == colour)
    }

    @Test("The line of a cancelled exchange is dim, and that of a failed one red, from its URL to its reason")
    func lines() {
        var row = ExchangeSummary(
            id: 7,
            started: 0,
            duration: 1_000,
            method: "GET",
            scheme: .https,
            host: "a.test",
            port: 443,
            target: "/events",
            code: 200,
            mediaType: "text/event-stream",
            requestBytes: 0,
            responseBytes: 9,
            version: .http11,
            upstreamVersion: .http11,
            outcome: .cancelled,
            failure: ExchangeFailure(side: .client, phase: .deliver, cause: .closed, message: "It left.")
        )
        let style = Style(isColoured: true)
        let text = "https://a.test/events  [client deliver: closed]"
        #expect(ListingTable(in: Layout(style: style, width: nil)).line(row).contains(style.paint(text, .dim)))
        row.outcome = .failed
        #expect(ListingTable(in: Layout(style: style, width: nil)).line(row).contains(style.paint(text, .red)))
    }
}
