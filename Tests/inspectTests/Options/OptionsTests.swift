import ArgumentParser
import Foundation
import Store
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

@Suite(.timeLimit(.minutes(15))) struct OptionsTests {
    @Test("Flags become a filter: lists and repeats in one category, categories together")
    func buildsFilter() throws {
        let options = try FilterOptions.parse([
            "--code", "500,404", "--code", "pending", "--method", "get", "--http-version", "2",
        ])
        let filter = try options.flagged.filter(now: Date())
        for code in ["500", "404", "pending"] { #expect(filter.accepts(code, in: .code)) }
        #expect(!filter.accepts("200", in: .code))
        #expect(filter.accepts("GET", in: .method) && !filter.accepts("POST", in: .method))
        #expect(filter.accepts("HTTP/2", in: .version) && !filter.accepts("HTTP/1.1", in: .version))
        #expect(filter.accepts("anything", in: .host))
    }

    @Test("The query argument narrows the flags, and says where it cannot be read")
    func readsQuery() throws {
        let options = try FilterOptions.parse(
            QueryArguments.shielded(["--method", "get", "code:5xx", "-host:cdn.test"])
        )
        let expected = try FilterParser.parse("method:get code:5xx -host:cdn.test", now: 0)
        let store = try CapturedStore()
        let reading = try TrafficStore(path: store.path, access: .reading)
        #expect(try options.filter(now: Date(), in: reading) == expected)
        #expect { try FilterOptions.parse(["code:500 colour:red"]).filter(now: Date(), in: reading) } throws: { error in
            (error as? FilterError)?.column == 10
        }
        try reading.close()
    }

    @Test(
        "A negated term gets a blank before it, and what an option is given stays as it is",
        arguments: [
            (["ls", "--json", "-host:a.test", "-(code:200)"], ["ls", "--json", " -host:a.test", " -(code:200)"]),
            (["replay", "7", "--body", "-key:value"], ["replay", "7", "--body=-key:value"]),
            (["ls", "--since", "-time:x", "-host:a"], ["ls", "--since=-time:x", " -host:a"]),
            (["run", "--query", "-code:200", "curl", "-uu:p"], ["run", "--query=-code:200", "curl", "-uu:p"]),
            (["run", "tool", "--config", "-Xlint:all"], ["run", "tool", "--config", "-Xlint:all"]),
            (["ls", "--", "-host:a"], ["ls", "--", "-host:a"]), (["-host:a"], [" -host:a"]),
        ]
    )
    func shields(_ words: [String], _ expected: [String]) {
        #expect(QueryArguments.shielded(words) == expected)
    }

    @Test("Places follow XDG and INSPECT_STORE")
    func findsPlaces() {
        #expect(Places(environment: [:], home: "/h").store == "/h/.local/share/inspect/captures.db")
        #expect(Places(environment: ["XDG_DATA_HOME": "/x"], home: "/h").store == "/x/inspect/captures.db")
        #expect(
            Places(environment: ["XDG_DATA_HOME": "relative"], home: "/h").certificates == "/h/.local/share/inspect/ca"
        )
        let named = Places(environment: ["INSPECT_STORE": "/s.db"], home: "/h")
        #expect(named.store == "/s.db")
        #expect(named.certificates == "/h/.local/share/inspect/ca")
        #expect(named.demonstration == "/h/.local/share/inspect/demo.db")
    }

    @Test("The demonstration has a store of its own, unless its command line names one")
    func demonstration() throws {
        #expect(try DemoCommand.parse([]).options.store.path == Places.current.demonstration)
        #expect(try DemoCommand.parse(["--store", "x.db"]).options.store.path == "x.db")
        #expect(try StartCommand.parse([]).options.store.path == Places.current.store)
    }
}
