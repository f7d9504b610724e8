import Foundation
import Lenses
import Store
import Support
import Testing
import Traffic

@testable import Web

@Suite("A check over the API that says how far it is", .timeLimit(.minutes(15)))
struct CheckTests {
    /// Ten exchanges of which the first two break a rule of their lens, and one of another code.
    private static func fill(_ store: TrafficStore) async throws {
        let body = Array(#"{"detail": "Not found."}"#.utf8)
        for number in Int64(0)..<2 {
            let (host, target) = ("api.srct.gmu.edu", "/whatsopen/v2/facilities/?format=json")
            let exchange = Recorded.exchange(host: host, target: target, length: body.count, offset: number)
            try await store.record(exchange, response: body)
        }
        for number in Int64(2)..<10 { try await store.record(Recorded.exchange(offset: number)) }
        try await store.record(Recorded.exchange(code: 404, fields: [("Content-Type", "text/plain")]))
    }

    @Test(
        "Lines say how far it is, and the last is the whole check",
        arguments: ["", "&code=200"]
    )
    func progress(filter: String) async throws {
        try await RunningPage.with(configure: { $0.progressInterval = .zero }) { page in
            try await Self.fill(page.store)
            let plain = try await page.get("/api/v1/check?limit=50\(filter)")
            let told = try await page.get("/api/v1/check?limit=50&progress=true\(filter)")
            #expect(told.status == 200 && told["content-type"] == "application/x-ndjson")
            let lines = told.text.split(separator: "\n")
            #expect(lines.last.map { "\($0)\n" } == plain.text)
            let steps = try lines.dropLast().map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
            let looked = steps.compactMap { $0["looked"] as? Int }
            #expect(looked.count == steps.count && looked.first == 0 && looked.last == 11 && looked == looked.sorted())
            #expect(steps.allSatisfy { $0["total"] as? Int == 11 && $0["holds"] == nil })
            let selected = steps.compactMap { $0["exchanges"] as? Int }
            #expect(selected.first == 0 && selected.last == (filter.isEmpty ? 11 : 10) && selected == selected.sorted())
            // What is found is told with the exchange after which it is known.
            let found = steps.map { ($0["rules"] as? [[String: Any]] ?? []).compactMap { $0["count"] as? Int } }
            let known = zip(found, selected).map { $0.0 == ($0.1 == 0 ? [] : [min($0.1, 2)]) }
            #expect(found.last == [2] && !known.contains(false), "\(found)")
            #expect(try await page.get("/findings.json?limit=50&progress=true\(filter)").text == told.text)
            for query in ["progress=maybe", "progress=true&check=NOPE", "progress=true&code=banana"] {
                #expect(try await page.get("/api/v1/check?\(query)").status == 400, "\(query)")
            }
        }
    }

    /// The asker has left.
    private struct Left: Error {}

    private static func answer(_ interval: Duration) -> CheckAnswer {
        CheckAnswer(
            filter: Filter(),
            rules: RuleSelection([]),
            shownLimit: 1,
            isStrict: false,
            interval: interval,
            clock: TimeSource()
        )
    }

    @Test(
        "The first line is written before anything is checked, and between two lines every exchange looks for its asker"
    )
    func stops() async throws {
        let home = try TemporaryDirectory()
        let store = try TrafficStore(path: home.file("captures.db"), access: .writing)
        try await Self.fill(store)
        var written: [Int] = []
        try Self.answer(.seconds(3_600)).write(in: store) { written.append($0.count) }
        // The first line, nothing at each of eleven exchanges and at their end, and the check.
        #expect(written.count == 14 && written.dropFirst().dropLast().allSatisfy { $0 == 0 })
        #expect(written.first.map { $0 > 0 } == true && written.last.map { $0 > 0 } == true)
        var asked = 0
        #expect(throws: Left.self) {
            try Self.answer(.seconds(3_600)).write(in: store) { _ in
                asked += 1
                if asked == 4 { throw Left() }
            }
        }
        #expect(asked == 4)
        try store.close()
    }
}
