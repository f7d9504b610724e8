import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct TrafficStatisticsTests {
    private static func row(
        _ id: Int64,
        _ target: String,
        code: Int? = 200,
        duration: Int64? = 1000,
        bytes: Int64 = 10,
        outcome: Outcome = .completed
    ) -> ExchangeSummary {
        var row = SampleExchange(id, target: target, code: code).exchange.summary
        (row.started, row.duration, row.responseBytes, row.outcome) = (id * 1_000_000, duration, bytes, outcome)
        return row
    }

    @Test("Percentiles are times that were measured, by the nearest rank")
    func percentiles() {
        var figures = TrafficFigures()
        #expect(figures.percentiles([50]) == nil && figures.successRate == nil)
        for time in [5, 1, 4, 2, 3, 6, 7, 8, 9, 10] as [Int64] { figures.add(Self.row(time, "/", duration: time * 10)) }
        #expect(figures.percentiles([0, 50, 90, 95, 99, 100]) == [10, 50, 90, 100, 100, 100])
        figures.add(Self.row(11, "/", duration: nil, outcome: .pending))
        #expect(figures.count == 11 && figures.timed == 10 && figures.successRate == 1)
        figures.add(Self.row(12, "/", code: 404))
        figures.add(Self.row(13, "/", code: nil, outcome: .failed))
        figures.add(Self.row(14, "/", code: 200, outcome: .failed))
        figures.add(Self.row(15, "/", code: 500, outcome: .failed))
        figures.add(Self.row(16, "/", code: 500, outcome: .cancelled))
        #expect(figures.succeeded == 10 && figures.failed == 3 && figures.cancelled == 1)
        #expect(FailureKind.allCases.map(figures.count) == [1, 2, 1])
        #expect(figures.successRate == 10.0 / 14)
    }

    @Test("Sums of bytes stay at the greatest number that there is")
    func greatest() {
        var statistics = TrafficStatistics()
        for number in 1...3 as ClosedRange<Int64> { statistics.add(Self.row(number, "/", bytes: .max - 1)) }
        #expect(statistics.all.responseBytes == .max)
        #expect(statistics.endpoints.map(\.figures.responseBytes) == [.max])
    }

    @Test(
        "What changes in a path is left open",
        arguments: [
            ("/items/12?x=1", "/items/{id}"), ("/items/0b4f9f8a-6a33-4d5e-9f0e-1a2b3c4d5e6f/edit", "/items/{id}/edit"),
            ("/v2/facilities/", "/v2/facilities/"), ("/", "/"), ("/deadbeef", "/deadbeef"),
            ("/a.1234567890123456789.js", "/a.1234567890123456789.js"),
            ("/t/Zm9vYmFyMTIzNDU2Nzg5MA", "/t/{id}"),
        ]
    )
    func templates(target: String, path: String) {
        var statistics = TrafficStatistics()
        statistics.add(Self.row(1, target))
        #expect(statistics.endpoints.map(\.name) == ["GET https://api.example.test\(path)"])
    }

    @Test("A thousand names in one place are one endpoint, and none of their exchanges is lost")
    func learns() {
        var statistics = TrafficStatistics()
        for number in 0..<1000 {
            let name =
                String(repeating: "ab", count: number % 7) + ["x", "y", "z"][number % 3] + String(number, radix: 36)
                + "_"
            statistics.add(
                Self.row(Int64(number + 1), "/users/\(name)/photos", duration: Int64(number + 1), bytes: Int64(number))
            )
        }
        statistics.add(Self.row(1001, "/health", bytes: 0))
        let endpoints = statistics.endpoints
        #expect(endpoints.map(\.figures.count).reduce(0, +) == 1001)
        #expect(endpoints.first?.name == "GET https://api.example.test/users/{…}/photos" && endpoints.count == 2)
        #expect(endpoints.first?.figures.percentiles([100]) == [1000])
        #expect(statistics.slowest.map(\.id) == [1000, 1001, 999, 998, 997])
        #expect(statistics.largest.map(\.responseBytes) == [999, 998, 997, 996, 995])
        let timeline = statistics.timeline
        #expect(timeline.count <= 60 && timeline.map(\.count).reduce(0, +) == 1001)
        #expect(timeline.allSatisfy { $0.start % statistics.momentMicroseconds == 0 })
    }
}
