import Testing
import Traffic

@testable import inspect

/// Of several rules of Charles for one request, the same one works here as there.
@Suite(.timeLimit(.minutes(15))) struct CharlesOrderTests {
    private static let own =
        "# not said: it works on the URL that a rule above made too; here on the request's own alone"

    /// A set for one host, or for all, of rules with a type, a text that is looked for, empty for any, and what takes its place.
    private static func set(_ host: String, _ rules: [(Int, String, String)]) -> String {
        let inner = rules.map { type, old, new in
            """
            <rewriteRule><ruleType>\(type)</ruleType><matchValue>\(old)</matchValue><newValue>\(new)</newValue>
            <matchWholeValue>\(type != 6 && !old.isEmpty)</matchWholeValue></rewriteRule>
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
                "response: {status: \"503\"}",
                "# not said: which of it and a map remote for the same URL works first; here the mapping stands",
                "send: {to: \"https://d.test:443\"}", "send: {to: \"https://b.test\"}", "stop: true",
                "send: {to: \"https://c.test\"}",
            ]
        )
    }
}
