import Foundation
import Support
import Testing

@Suite(.timeLimit(.minutes(15))) struct StatisticsCommandTests {
    @Test("Figures are those of the filtered set, as lines and as JSON")
    func counts() async throws {
        let store = try CapturedStore()
        for token in 1...6 {
            try await store.record(
                Sample(
                    UInt64(token),
                    "GET",
                    "/items/\(token)",
                    code: token == 6 ? 500 : 200,
                    responseBody: Array("12345".utf8)
                )
            )
        }
        try await store.record(Sample(7, "POST", "/items", host: "other.test").failed())
        let lines = try await store.inspect("stats").output.split(separator: "\n")
        #expect(
            lines.first?.hasPrefix("7 exchanges, 71 % succeeded, 1 failed (no answer 1), error status 1, 0 B sent")
                == true,
            "\(lines)"
        )
        #expect(lines.contains { $0.hasSuffix("  GET https://api.example.test/items/{id}") && $0.contains(" 83 % ") })
        let bytes = try await store.inspect("stats", "--json", "--code", "2xx").outputBytes
        let root = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(root["count"] as? Int == 5 && root["failed"] as? Int == 0 && root["p99Ms"] as? Double == 2.4)
        #expect(root["errorStatus"] as? Int == 0 && root["cancelled"] as? Int == 0)
        let endpoints = try #require(root["endpoints"] as? [[String: Any]])
        #expect(endpoints.map { $0["endpoint"] as? String } == ["GET https://api.example.test/items/{id}"])
        #expect((root["slowest"] as? [Any])?.count == 5 && (root["timeline"] as? [Any])?.isEmpty == false)
        let empty = try await store.inspect("stats", "--method", "PUT")
        #expect(empty.status == 0 && empty.output.hasPrefix("0 exchanges"))
    }

    @Test("A share is rounded to the next percent")
    func rounds() async throws {
        let store = try CapturedStore()
        for token in 1...3 {
            try await store.record(Sample(UInt64(token), "GET", "/\(token)", code: token == 3 ? 500 : 200))
        }
        let output = try await store.inspect("stats").output
        #expect(output.hasPrefix("3 exchanges, 67 % succeeded, 0 failed, error status 1, "))
    }

    @Test("100 % is all, and 0 % is none")
    func shares() async throws {
        let store = try CapturedStore()
        for token in 1...201 {
            let isOdd = token == 1
            let host = isOdd ? "odd.test" : "other.test"
            try await store.record(Sample(UInt64(token), "GET", "/", host: host, code: isOdd ? 500 : 200))
        }
        let output = try await store.inspect("stats").output
        #expect(output.hasPrefix("201 exchanges, 99 % succeeded, 0 failed, error status 1, "))
        #expect(try await store.inspect("stats", "--host", "other.test").output.hasPrefix("200 exchanges, 100 % "))
        #expect(try await store.inspect("stats", "--host", "odd.test").output.hasPrefix("1 exchange, 0 % "))
    }
}
