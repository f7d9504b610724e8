import Foundation
import Support
import Testing

/// Numbers are ids, in every command that takes exchanges.
@Suite(.timeLimit(.minutes(15))) struct SelectorCommandTests {
    /// A closed store with twelve exchanges, of which the fifth holds the text 12 in its target and in its body.
    private func store() async throws -> ClosedStore {
        let store = try ClosedStore()
        try await store.fill(
            (1...12).map { number in
                number == 5
                    ? Sample(5, "GET", "/room/12", responseBody: Array("room 12".utf8))
                    : Sample(UInt64(number), "GET", "/\(number == 12 ? "last" : "other")")
            }
        )
        return store
    }

    private func ids(_ store: ClosedStore, _ selector: String...) async throws -> [Int] {
        let listed = try await store.inspect(["ls", "--jsonl"] + selector)
        #expect(listed.status == 0, "\(listed.errors)")
        return try listed.output.split(separator: "\n").map { line in
            let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return try #require(row?["id"] as? Int)
        }
    }

    @Test("Clearing a number deletes that exchange, and none that holds the number as text")
    func clears() async throws {
        let store = try await store()
        #expect(try await store.inspect(["clear", "12", "--yes"]).output == "Deleted 1 exchange.\n")
        #expect(try await ids(store) == [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
        let again = try await store.inspect(["clear", "12", "--yes"])
        #expect(again.status == 2 && again.output.isEmpty)
        #expect(again.errors == "inspect: no exchange 12 in the store; '\"12\"' searches for the text\n")
        #expect(try await ids(store).count == 11)
        #expect(try await store.inspect(["clear", "\"12\"", "--yes"]).output == "Deleted 1 exchange.\n")
        #expect(try await !ids(store).contains(5))
        #expect(try await store.inspect(["clear", "1..3", "7", "--yes"]).output == "Deleted 4 exchanges.\n")
        #expect(try await ids(store) == [11, 10, 9, 8, 6, 4])
    }

    @Test("Statistics are those of the exchanges that are named")
    func counts() async throws {
        let store = try await store()
        for (selector, count) in [(["12"], 1), (["3..6", "9"], 5), (["\"12\""], 1), (["3..6", "--code", "404"], 0)] {
            let run = try await store.inspect(["stats", "--json"] + selector)
            let root = try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
            #expect(root["count"] as? Int == count, "\(selector)")
        }
        #expect(try await store.inspect(["stats", "99"]).status == 2)
    }

    @Test("An export holds the exchanges that are named")
    func exports() async throws {
        let store = try await store()
        let named = try await store.inspect(["export", "--format", "csv", "12"]).output
        #expect(named.contains("/last") && !named.contains("/room/12"), "\(named)")
        let text = try await store.inspect(["export", "--format", "csv", "\"12\""]).output
        #expect(!text.contains("/last") && text.contains("/room/12"), "\(text)")
    }

    @Test("Tags go to the exchanges that are named, by numbers, by a query or by flags; all of them have to be there")
    func tags() async throws {
        let store = try await store()
        #expect(
            try await store.inspect(["mark", "tag", "12", "2..3", "named"]).output == "3 exchanges tagged named.\n"
        )
        #expect(try await ids(store, "tag:named") == [12, 3, 2])
        #expect(
            try await store.inspect(["mark", "tag", "--query", "12", "same"]).output == "1 exchange tagged same.\n"
        )
        #expect(try await ids(store, "tag:same") == [12])
        #expect(
            try await store.inspect(["mark", "tag", "--tag", "named", "flagged"]).output
                == "3 exchanges tagged flagged.\n"
        )
        let absent = try await store.inspect(["mark", "tag", "1", "99", "odd"])
        #expect(absent.status == 2 && absent.errors.hasPrefix("inspect: no exchange 99 in the store"))
        #expect(try await ids(store, "tag:odd") == [])
    }

    @Test("A search is saved with numbers as ids")
    func saves() async throws {
        let store = try await store()
        #expect(try await store.inspect(["saved", "two", "5", "12"]).output == "@two stands for id:5,12\n")
        #expect(try await ids(store, "@two") == [12, 5])
    }

    @Test(
        "What names no exchange is one line with what to write instead",
        arguments: [
            (["ls", "20..10"], "write 10..20"), (["search", "404"], "'\"404\"' searches for the text"),
            (["check", "99"], "no exchange 99 in the store"), (["mock", "99"], "no exchange 99 in the store"),
            (["assert", "--count", "0", "99"], "no exchange 99 in the store"),
            (["diff", "--left", "99", "--right", "1"], "no exchange 99 in the store"),
            (["clear", "0", "--yes"], "1 or more, not 0"), (["export", "10.."], "such as 10..20"),
            (["show", "7x"], "expected the number of one exchange"),
        ]
    )
    func mistakes(_ arguments: [String], _ remedy: String) async throws {
        let run = try await store().inspect(arguments)
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains(remedy), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }
}
