import Testing
import Traffic

@testable import inspect

/// Of several rules of Charles for one request, the same one works here as there.
@Suite(.timeLimit(.minutes(15))) struct CharlesOrderTests {
    private static let own =
        "# not said: it works on the URL that a rule above made too; here on the request's own alone"

    private static let dead =
        "# not said: where a rule above changes the same URL it does nothing there; here a part of what it does stays"
    private static let between = "# not said: it stands between rules for URLs, which are in another order here"

    /// Stands for type 6 with a whole URL.
    private static let whole = 60

    /// A set for one host, or for all, of rules with a type, a text that is looked for, empty for any, and what takes its place.
    ///
    /// A name and a blank before a new value are the name of the field or item.
    private static func set(_ host: String, _ rules: [(Int, String, String)]) -> String {
        let inner = rules.map { type, old, new in
            let name = new.split(separator: " ")
            let header = name.count == 2 ? name[0] : ""
            return """
                <rewriteRule><ruleType>\(type == whole ? 6 : type)</ruleType><matchValue>\(old)</matchValue>
                <\(type == 8 ? "newHeader" : "matchHeader")>\(header)</\(type == 8 ? "newHeader" : "matchHeader")><matchRequest>true</matchRequest>
                <newValue>\(name.last ?? "")</newValue><matchWholeValue>\(type != 6 && !old.isEmpty)</matchWholeValue></rewriteRule>
                """
        }
        return """
            <rewriteSet><name>n</name><hosts><locationMatch><location><protocol>https</protocol><host>\(host)</host><port>443</port></location>
            </locationMatch></hosts><rules>\(inner.joined())</rules></rewriteSet>
            """
    }

    /// Where rules send and what is not said of them, in the order of the file.
    private static func changes(_ sets: String...) throws -> [String] {
        try ImportedSample("<charles-export>\(sets.joined())</charles-export>").actions.filter {
            !$0.hasPrefix("when: ")
        }
    }

    @Test("Of two rewrites of one URL the upper one stands, so it is the last")
    func upperOne() throws {
        let special = (6, "https://a.test/api/", "http://localhost:81/api/")
        let general = (6, "https://a.test/", "https://b.test/")
        let (local, staging) = ("send: {to: \"http://localhost:81\"}", "send: {to: \"https://b.test\"}")
        #expect(try Self.changes(Self.set("a.test", [special, general])) == [staging, local])
        #expect(try Self.changes(Self.set("a.test", [general, special])) == [local, staging])
        #expect(try Self.changes(Self.set("a.test", [special]), Self.set("*.test", [general])) == [staging, local])
        let paths = [(5, "/a", "/b"), (5, "/a", "/c")]
        #expect(try Self.changes(Self.set("a.test", paths)) == ["request: {path: \"/c\"}", "request: {path: \"/b\"}"])
    }

    @Test("A rewrite for all of its set's places works on what its set made, so the last of these stands")
    func lastOfAll() throws {
        let hosts = [(4, "", "b.test"), (4, "a.test", "c.test"), (4, "", "d.test")]
        #expect(
            try Self.changes(Self.set("a.test", hosts)) == [
                "send: {to: \"https://c.test:443\"}", "send: {to: \"https://b.test:443\"}",
                "send: {to: \"https://d.test:443\"}",
            ]
        )
    }

    @Test(
        "A rewrite that works on what one above made says so",
        arguments: [
            ((4, "a.test", "b.test"), (4, "b.test", "c.test"), true),
            ((4, "a.test", "b.test"), (4, "c.test", "d.test"), false),
            ((6, "https://a.test/", "https://b.test/x/"), (6, "https://b.test/", "https://c.test/"), true),
            ((4, "a.test", "b.test"), (6, "https://b.test/", "https://c.test/"), true),
            ((5, "/a", "/b"), (5, "/b", "/c"), true), ((4, "a.test", "b.test"), (5, "/b", "/c"), false),
            ((6, "https://a.test/", "https://b.test/"), (4, "", "c.test"), false),
        ]
    )
    func chained(_ first: (Int, String, String), _ second: (Int, String, String), _ isSaid: Bool) throws {
        #expect(try Self.changes(Self.set("a.test", [first, second])).contains(Self.own) == isSaid)
    }

    private static let add = (8, "", "k v")
    private static let url = (whole, "https://a.test/x", "https://b.test/y")

    @Test("What changes a query or the host's field behind a rule for URLs does so here too")
    func edits() throws {
        let (send, add) = ("send: {to: \"https://b.test\"}", "request: {query: {add: {k: \"v\"}}}")
        let target = "request: {target: \"/y\"}"
        #expect(try Self.changes(Self.set("a.test", [Self.url, Self.add])) == [send, target, add])
        let host = "request: {fields: {set: {Host: \"x\"}}}"
        #expect(
            try Self.changes(Self.set("a.test", [(4, "a.test", "b.test"), (3, "", "Host x")])) == [
                "send: {to: \"https://b.test:443\"}", host,
            ]
        )
        // A whole URL is another one once an item is added to it.
        #expect(try Self.changes(Self.set("a.test", [Self.add, Self.url])) == [add, Self.dead, send, target])
        #expect(try Self.changes(Self.set("a.test", [Self.url, (9, "", "k v")])).contains(Self.own))
        #expect(try !Self.changes(Self.set("a.test", [(9, "", "k v"), Self.url])).contains(Self.own))
    }

    @Test(
        "What stands between rules for URLs, and minds their order, says so",
        arguments: [
            ([url, add, (6, "https://a.test/", "https://c.test/")], true), ([url, (4, "", "c.test"), add], false),
            ([(4, "a.test", "b.test"), add, (6, "https://a.test/", "https://c.test/")], false),
            ([(4, "a.test", "b.test"), (3, "", "Host x"), (4, "a.test", "c.test")], true),
            ([(5, "/a", "/b"), (3, "", "Host x"), (5, "/c", "/d")], false),
            ([(4, "a.test", "b.test"), (3, "", "X-A x"), (4, "a.test", "c.test")], false),
        ]
    )
    func between(_ rules: [(Int, String, String)], _ isSaid: Bool) throws {
        #expect(try Self.changes(Self.set("a.test", rules)).contains(Self.between) == isSaid)
    }

    @Test(
        "A rule that is dead there behind another one, and half alive here, says so",
        arguments: [
            ((4, "a.test", "b.test"), url, true), ((4, "", "b.test"), url, true), ((5, "/x", "/y"), url, true),
            ((6, "https://a.test/", "https://b.test/"), url, true), (url, url, false),
            ((4, "c.test", "b.test"), url, false), (url, (4, "a.test", "c.test"), false),
            ((5, "/api/x", "/y"), (6, "https://a.test/api/", "https://b.test/api/"), true),
            ((6, "https://a.test/", "https://b.test/x/"), (5, "/y", "/z"), true),
            ((6, "https://a.test/", "https://b.test/"), (5, "/y", "/z"), false),
            ((4, "a.test", "b.test"), (5, "/x", "/y"), false), ((5, "", "/y"), (4, "a.test", "b.test"), false),
            ((5, "/x", "/y"), (4, "a.test", "b.test"), false),
            ((6, "https://a.test/api/", "https://b.test/api/"), (4, "a.test", "c.test"), false),
        ]
    )
    func dead(_ first: (Int, String, String), _ second: (Int, String, String), _ isSaid: Bool) throws {
        #expect(try Self.changes(Self.set("a.test", [first, second])).contains(Self.dead) == isSaid)
        #expect(try Self.changes(Self.set("a.test", [first]), Self.set("*", [second])).contains(Self.dead) == isSaid)
    }

    @Test(
        "A rule for all of its set's places says that a set above for one of them stands",
        arguments: [
            ("a.test", "a.test", true), ("a.test", "*.test", true), ("*", "b.test", true), ("a.test", "b.test", false),
        ]
    )
    func sets(_ upper: String, _ lower: String, _ isSaid: Bool) throws {
        let said =
            "# not said: where a set above changes the same part of a URL this one stands; here the set above does"
        let changes = try Self.changes(Self.set(upper, [(4, "", "c.test")]), Self.set(lower, [(4, "", "d.test")]))
        #expect(changes.contains(said) == isSaid)
        #expect(
            changes.filter { !$0.hasPrefix("#") } == [
                "send: {to: \"https://d.test:443\"}", "send: {to: \"https://c.test:443\"}",
            ]
        )
    }

    @Test("Mappings to another place stand last, and a rewrite of a URL beside them says what it does not know")
    func mappings() throws {
        let mapping =
            "<mapMapping><sourceLocation><host>a.test</host></sourceLocation><destLocation><protocol>https</protocol>"
        let sample = try Self.changes(
            "<map>\(mapping)<host>b.test</host></destLocation></mapMapping>\(mapping)<host>c.test</host></destLocation></mapMapping></map>",
            Self.set("a.test", [(4, "", "d.test"), (11, "", "503")])
        )
        #expect(
            sample == [
                "# not said: which of it and a map remote for the same URL works first; here the mapping stands",
                "send: {to: \"https://d.test:443\"}", "response: {status: \"503\"}", "send: {to: \"https://b.test\"}",
                "stop: true", "send: {to: \"https://c.test\"}",
            ]
        )
    }
}
