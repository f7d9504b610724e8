import Lenses
import Testing
import Traffic

@testable import inspect

@Suite("The tool that sends requests again", .timeLimit(.minutes(15)))
struct ReplayToolTests {
    @Test(
        "A replay that was refused is told with the argument that lets it be sent, and no option",
        arguments: [
            (.authorization, #"no; give "Authorization: …" in 'headers'"#),
            (.path, "no; leave 'to' out, which sends it to its own origin"),
            (.body, "no; give another 'body', or leave 'to' out, which sends it to its own origin"), (nil, "no"),
        ] as [(ReplayError.WayOut?, String)]
    )
    func words(wayOut: ReplayError.WayOut?, words: String) {
        #expect(ReplayError("no", wayOut: wayOut).toolWords == words)
    }

    @Test("A base URL with a password is refused in words of the tool alone")
    func password() async throws {
        let store = try await MaskedStore(secret: "aB3dE6gH9kL2mN5p")
        let answer = await store.answer("replay", #"{"query":"id:2","to":"http://u:p@api.example.test"}"#)
        #expect(answer == #"a base URL takes no user and password; give "Authorization: …" in 'headers'"#)
    }

    private func comparison(_ changes: [String]) -> Comparison {
        var comparison = Comparison(left: nil, right: nil)
        comparison.changes = changes
        return comparison
    }

    @Test("Of the changes that a lens tells the first are kept, and of a long sentence the beginning")
    func changes() throws {
        let gathered = GatheredComparisons()
        let long = String(repeating: "ä", count: 1_025)
        try gathered.add(comparison([long] + (2...30).map { "\($0)" }))
        try gathered.add(comparison([String(long.dropLast())]))
        let kept = [String(long.dropLast()) + "…"] + (2...25).map { "\($0)" } + ["and 5 more changes"]
        #expect(gathered.shown.map(Self.changes) == [kept, [String(long.dropLast())]])
        #expect(gathered.summary.total == 2 && gathered.note == nil)
    }

    @Test("Comparisons beyond the limit are counted and not kept, since the requests are sent")
    func tooLong() throws {
        let gathered = GatheredComparisons(limitBytes: 1 << 20)
        let one = comparison(Array(repeating: String(repeating: "x", count: 1_000), count: 25))
        for _ in 0..<100 { try gathered.add(one) }
        try gathered.add(comparison([]))
        #expect(gathered.summary.total == 101)
        // Each of the long ones is a little more than 25,000 bytes long; a short one behind them is left out too.
        let kept = gathered.shown.map(Self.changes)
        #expect((35...41).contains(kept.count) && kept.allSatisfy { !$0.isEmpty }, "\(kept.count)")
        let left = 101 - kept.count
        let note =
            "\(left) more comparisons are counted and not shown: all together are longer than 1 MiB; filter is:replay lists the new exchanges"
        #expect(gathered.note == note)
    }

    /// The changes that a comparison's JSON tells.
    private static func changes(_ value: JSONValue) -> [String] {
        value["changes"]?.elements?.compactMap(\.string) ?? []
    }
}
