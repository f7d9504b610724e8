import Foundation
import NIOCore
import Store
import Testing
import Traffic

@Suite("What people say of exchanges", .timeLimit(.minutes(15)))
struct MarkTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    @Test("Tags, notes and favourites are kept, counted at once, told to followers, and taken away again")
    func marks() async throws {
        let store = try home.open()
        await store.record((0..<3).map { _ in .plain() })
        try store.index()
        let reader = try home.open(.reading)
        var changes = store.changes().makeAsyncIterator()
        #expect(try store.mark([1, 2, 99], .tags(["Slow", "bug"])) == 2)
        guard case .changed(let told) = await changes.next() else { return #expect(Bool(false), "no change came") }
        #expect(told.map(\.id) == [1, 2] && told.first?.marks.tags == ["bug", "slow"])
        try store.mark([2], .tags(["bug"], isRemoval: true))
        var change = MarkChange()
        (change.favourite, change.note) = (true, "called twice")
        try store.mark([2], change)
        for store in [store, reader] {
            let listing = try store.list(ListingQuery())
            let tags = listing.facets.first { $0.facet == .tag }?.values
            #expect(tags?.map(\.value) == ["bug", "none", "slow"] && tags?.map(\.count) == [1, 1, 2])
            #expect(
                listing.exchanges[1].marks == ExchangeMarks(isFavourite: true, tags: ["slow"], note: "called twice")
            )
            for (query, ids) in [
                ("tag:slow", [2, 1]), ("-tag:bug", [3, 2]), ("is:favourite", [2]), ("note:twice", [2]),
                ("tag:none", [3]),
            ] as [(String, [ExchangeID])] {
                let filter = try FilterParser.parse(query, now: 0)
                #expect(try store.ids(filter).reversed() == ids, "\(query)")
            }
        }
        (change.favourite, change.note, change.removed) = (false, "", ["slow"])
        try store.mark([1, 2, 3], change)
        try store.close()
        #expect(try home.count(.marks) == 1)
    }

    @Test("An open exchange keeps what was said of it when it ends, also for followers")
    func open() async throws {
        let store = try home.open()
        await store.record([.opened(1, .plain(code: nil, outcome: .pending))])
        try store.mark([1], .tags(["waits"]))
        var changes = store.changes().makeAsyncIterator()
        await store.record([.ended(1, .plain(), request: .init(), response: .init())])
        guard case .changed(let told) = await changes.next() else { return #expect(Bool(false), "no change came") }
        #expect(told.first?.marks.tags == ["waits"])
        #expect(try told == store.summaries(of: [1]))
        try store.close()
    }

    @Test(
        "A tag is one plain word",
        arguments: ["", "two words", "none", "a,b", "-x", "*", "\"", String(repeating: "x", count: 65)]
    )
    func names(text: String) {
        #expect(throws: FilterError.self) { try Tag.name(text) }
    }

    @Test("Too many tags are refused, and nothing is changed")
    func tooMany() async throws {
        let store = try home.open()
        await store.record([.plain()])
        let names = (0...ExchangeMarks.tagLimit).map { "t\($0)" }
        #expect(throws: FilterError.self) { try store.mark([1], .tags(names)) }
        #expect(try store.summaries(of: [1]).first?.marks.isEmpty == true)
        try store.close()
    }

    @Test("Exchanges belong to the session then current; a process without one records none")
    func sessions() async throws {
        let store = try home.open()
        await store.record([.plain()])
        try store.beginSession("login", now: 5)
        await store.record([.plain(), .plain()])
        try store.close()
        let second = try home.open()
        await second.record([.plain()])
        try second.beginSession("checkout", now: 6)
        var changes = second.changes().makeAsyncIterator()
        await second.record([.plain()])
        guard case .changed(let told) = await changes.next() else { return #expect(Bool(false), "no change came") }
        #expect(try told == second.summaries(of: [5]) && told.first?.session == "checkout")
        try second.beginSession("login", now: 7)
        await second.record([.plain()])
        #expect(
            try second.summaries(after: 0, limit: 9).map(\.session) == [
                nil, "login", "login", nil, "checkout", "login",
            ]
        )
        #expect(
            try second.sessions() == [
                StoreSession(name: "login", started: 5, count: 3), StoreSession(name: "checkout", started: 6, count: 1),
            ]
        )
        try second.index()
        #expect(try second.ids(FilterParser.parse("session:log", now: 0)) == [2, 3, 6])
        #expect(try second.ids(FilterParser.parse("-session:log*", now: 0)) == [1, 4, 5])
        try second.close()
    }

    @Test("A saved search stands for its text")
    func saved() async throws {
        let store = try home.open()
        try store.save(SavedSearch(name: "broken", query: "code:5xx or outcome:failed"))
        try store.save(SavedSearch(name: "mine", query: "host:a.test"))
        #expect(try store.savedSearches().map(\.name) == ["broken", "mine"])
        #expect(
            try store.expanded("@broken -@MINE (@mine or \"@mine\") a@b")
                == "(code:5xx or outcome:failed) -(host:a.test) ((host:a.test) or \"@mine\") a@b"
        )
        #expect { try store.expanded("code:5xx @nothing") } throws: { error in
            (error as? FilterError)?.missingSearch == "nothing" && !"\(error)".contains("inspect")
        }
        #expect(try store.forgetSearch("mine") && !store.forgetSearch("mine"))
        try store.close()
    }

    @Test("No search is saved that would hide that it finds everything", arguments: ["", " \t"])
    func refusesBlank(_ query: String) throws {
        let store = try home.open()
        let now = Date(timeIntervalSince1970: 0)
        #expect { try store.checked(SavedSearch(name: "old", query: query), now: now) } throws: { error in
            (error as? FilterError)?.description.contains("needs a query") == true
        }
        try store.close()
    }

    @Test("No search is saved under a word that said once what to do", arguments: ["add", "list", "Remove"])
    func refusesCommands(_ name: String) throws {
        let store = try home.open()
        let now = Date(timeIntervalSince1970: 0)
        #expect { try store.checked(SavedSearch(name: name, query: "code:5xx"), now: now) } throws: { error in
            (error as? FilterError)?.description.contains("cannot be the name of a saved search") == true
        }
        #expect(try store.checked(SavedSearch(name: "removed", query: "code:5xx"), now: now).name == "removed")
        try store.close()
    }
}
