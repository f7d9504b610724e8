import ArgumentParser
import Foundation
import Store
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

/// What commands take, read in one way.
@Suite(.timeLimit(.minutes(15))) struct SelectorTests {
    /// Exchanges 1 to 12; the fifth and the seventh hold the text 12, and the fifth is a POST.
    private static func store() async throws -> ClosedStore {
        let store = try ClosedStore()
        try await store.fill(
            (1...12).map { number in
                let target = [5, 7].contains(number) ? "/room/12" : "/a"
                return Sample(CaptureToken(number), number == 5 ? "POST" : "GET", target)
            }
        )
        return store
    }

    private static func reading<Value>(_ store: ClosedStore, _ body: (TrafficStore) throws -> Value) throws -> Value {
        let reading = try TrafficStore(path: store.path, access: .reading)
        defer { try? reading.close() }
        return try body(reading)
    }

    private static func ids(_ arguments: [String], in store: ClosedStore) throws -> [ExchangeID] {
        try reading(store) { try $0.ids(FilterOptions.parse(arguments).filter(now: Date(), in: $0)) }
    }

    @Test(
        "Numbers are ids and anything else is a query; flags narrow both",
        arguments: [
            (["7"], [7]), (["7", "9"], [7, 9]), (["10..20"], [10, 11, 12]), (["7 10..11"], [7, 10, 11]),
            (["12"], [12]), (["\"12\""], [5, 7]), (["7x"], []), (["path:/room", "12"], [5, 7]),
            (["5", "7", "--method", "post"], [5]), (["4..7", "--method", "post"], [5]),
            (["7", "--method", "post"], []), (["\"12\"", "--method", "post"], [5]), (["id:7"], [7]),
            (["@rooms"], [5, 7]), (["@rooms", "method:POST"], [5]), (["@rooms", "--method", "get"], [7]),
            ([], Array(1...12)),
        ] as [([String], [ExchangeID])]
    )
    func selects(_ arguments: [String], _ expected: [ExchangeID]) async throws {
        let store = try await Self.store()
        let writing = try TrafficStore(path: store.path, access: .writing)
        try writing.save(SavedSearch(name: "rooms", query: "path:/room"))
        try writing.close()
        #expect(try Self.ids(arguments, in: store) == expected)
    }

    @Test("A number without an exchange is said with how its text is searched for, and a search that is not saved too")
    func isAbsent() async throws {
        let store = try await Self.store()
        for (argument, words) in [("99", "99"), ("7 99", "99"), ("13..20", "13..20")] {
            #expect { try Self.ids([argument], in: store) } throws: { error in
                (error as? InputError)?.description
                    == "no exchange \(words) in the store; '\"\(words)\"' searches for the text"
            }
        }
        #expect { try Self.ids(["@rooms"], in: store) } throws: { error in
            (error as? FilterError)?.words
                == "there is no saved search @rooms; 'inspect saved' lists them (to search for the text, put it in quotes)"
        }
    }

    @Test("Exchanges that may still come need not be there")
    func mayCome() async throws {
        let store = try await Self.store()
        let ids = try Self.reading(store) { reading in
            try reading.ids(Selector(["12..20", "30"]).filter(in: reading, now: Date(), mayCome: true))
        }
        #expect(ids == [12])
    }

    @Test("Times are counted back from the moment that is passed in")
    func passesClock() async throws {
        let store = try await Self.store()
        let now = Date(timeIntervalSince1970: 1_000_000)
        for arguments in [["since:10m"], ["--since", "10m"]] {
            let filter = try Self.reading(store) { try FilterOptions.parse(arguments).filter(now: now, in: $0) }
            #expect(filter.since == 999_400_000_000)
        }
    }

    @Test("A query that a store keeps as text stays what it was: numbers are kept as ids")
    func keepsQuery() throws {
        #expect(try Selector(["7", "10..20"]).text.queryText == "id:7,10..20")
        #expect(try Selector(["\"7\""]).text.queryText == "\"7\"")
    }

    @Test("Marks take numbers, then words; the numbers end where something else begins")
    func splits() throws {
        let rows: [(options: [String], words: [String], numbers: [String], rest: [String])] = [
            ([], ["7", "10..20", "slow", "8"], ["7", "10..20"], ["slow", "8"]),
            ([], ["7", "12 13"], ["7"], ["12 13"]), ([], ["12", "1,200", "failed"], ["12"], ["1,200", "failed"]),
            (["--since", "1h"], ["2 retries"], [], ["2 retries"]), (["--code", "500"], ["slow"], [], ["slow"]),
            (["--query", "code:500"], ["404"], [], ["404"]),
        ]
        for row in rows {
            let split = try MarkOptions.parse(row.options).split(row.words)
            #expect(split.numbers == row.numbers && split.rest == row.rest, "\(row.words)")
        }
        #expect(throws: ValidationError.self) { try MarkOptions.parse([]).split(["slow"]) }
        // Neither the text of a note nor an exchange may be lost to the other reading.
        for words in [["2", "retries"], ["2"]] {
            #expect(throws: ValidationError.self) { try MarkOptions.parse(["--since", "1h"]).split(words) }
        }
    }

    @Test(
        "What changes or sends exchanges refuses a number beside other words and a blank selection, and takes what is plain",
        arguments: [
            (["clear", "100", "or", "200", "--yes"], "write id:100 for the exchange, or '\"100\"' for the text"),
            (["clear", "12 15 -is:favourite"], "12 beside other words is text"),
            (["clear", "12", "15-18"], "12 beside"),
            (["clear", ""], "an empty query would delete everything"),
            (["clear", " ", "--code", "500"], "an empty query"),
            (["mark", "favourite", "12", "or", "15"], "12 beside"), (["mark", "favourite", " "], "name the exchanges"),
            (["mark", "tag", "--query", "12 host:a.test", "slow"], "12 beside"),
            (["mark", "tag", "--query", "", "slow"], "name the exchanges"),
            (["mark", "note", "--query", " ", "--remove"], "name the exchanges"),
            (["mark", "note", "--query", "", "text"], "name the exchanges"),
            (["mark", "note", "--since", "1h", "2", "retries"], "2 beside filter flags"),
            (["replay", "12", "host:a.test"], "12 beside"),
            (["clear"], nil), (["clear", "--code", "500"], nil), (["clear", "12", "15..18"], nil),
            (["clear", "\"12\" or \"15\""], nil), (["mark", "favourite", "12,15"], nil),
            (["mark", "note", "--query", "id:2", "--remove"], nil), (["replay", "id:12 host:a.test"], nil),
        ] as [([String], String?)]
    )
    func refusesDoubt(_ arguments: [String], _ remedy: String?) throws {
        let problem: String?
        do {
            _ = try Inspect.parseAsRoot(arguments)
            problem = nil
        } catch {
            problem = Inspect.message(for: error)
        }
        #expect(remedy.map { problem?.contains($0) == true } ?? (problem == nil), "\(problem ?? "taken")")
    }

    @Test("What would be deleted is said with what selects it, in words")
    func saysWhatIsCleared() throws {
        let filter = try SelectorText("7 10..20").filter(now: 0) { $0 }
        #expect(ClearCommand.words(for: filter, count: 12) == "12 exchanges (\(filter.sentence))")
        #expect(ClearCommand.words(for: Filter(), count: 1) == "1 exchange (every exchange)")
    }

    @Test("A replay sends what is selected and what the filter flags leave of it; its --set-method is an edit")
    func replays() async throws {
        let store = try await Self.store()
        let flags = try FilterFlags.parse(["--host", "example.test", "--code", "200"])
        func plan(_ terms: [String], _ flags: FilterFlags) throws -> ReplayPlan {
            try Self.reading(store) { try ReplaySelection(terms, flags: flags).plan(in: $0, now: Date()) }
        }
        let none = try FilterFlags.parse([])
        #expect(try plan(["7", "5"], none).ids == [7, 5])
        #expect(try plan(["7", "5"], FilterFlags.parse(["--code", "200"])).ids == [7, 5])
        #expect(throws: InputError.self) { try plan(["7", "5"], FilterFlags.parse(["--code", "404"])) }
        #expect(try plan(["path:/a or is:replay"], none).q == "path:/a or is:replay")
        #expect(
            try plan(["path:/a or is:replay"], flags).q == "code:200 host:example.test (path:/a or is:replay)"
        )
        #expect(try plan([], flags).q == "code:200 host:example.test")
        #expect(try plan([" "], flags).q == "code:200 host:example.test")
        let command = try ReplayCommand.parse(["7", "--set-method", "POST", "--code", "200"])
        #expect(try command.editing.edits().method == "POST" && command.flags.code == ["200"])
    }

    @Test(
        "The former --method of a replay edits what numbers name, and is refused where it might be meant to select",
        arguments: [
            (["7", "--method", "POST"], true), (["7", "10..20", "--method=POST"], true),
            (["7", "--host", "a.test", "--method", "POST"], false), (["--host", "a.test", "--method", "POST"], false),
            (["path:/a", "--method", "POST"], false), (["7", "--method", "PUT", "--set-method", "PUT"], false),
        ]
    )
    func formerMethod(_ arguments: [String], isTaken: Bool) throws {
        let command = try? ReplayCommand.parse(arguments)
        #expect((command != nil) == isTaken)
        #expect(try command?.editing.edits().method == (isTaken ? "POST" : nil))
    }

    @Test("Every command prints 100 of something unless it is told otherwise")
    func limits() throws {
        var found: [String] = []
        for page in CommandManual.all(of: try CommandInformation(of: Inspect.self)) {
            guard let limit = page.command.arguments.first(where: { $0.longNames.contains("limit") }) else { continue }
            found.append(page.name)
            #expect(limit.abstract.hasSuffix(" (default: 100)"), "\(page.name)")
        }
        #expect(found.count >= 7, "\(found)")
    }
}
