import Support
import Testing

/// The commands of the lenses under the names of an earlier version, in the program.
@Suite(.timeLimit(.minutes(15))) struct FormerLensCommandTests {
    private static let at = ["--at", "2026-09-19T01:30"]

    private func run(_ arguments: [String]) async throws -> CommandLineTool.Result {
        try await CommandLineTool.run(try Executable.inspect(), arguments)
    }

    @Test(
        "A former name does what today's does, and says that once",
        arguments: [
            (["facility"], ["facilities", "--one"], ["Tea House", "--why"] + at),
            (["alerts"], ["facilities", "alerts"], ["--all"] + at),
            (["food"], ["menus", "food"], ["oatmeal"]),
            (["swipes"], ["menus", "swipes"], ["--plan", "BP19", "--at", "2015-05-29T12:30"]),
        ] as [([String], [String], [String])]
    )
    func former(former: [String], current: [String], arguments: [String]) async throws {
        let store = try await former == ["food"] ? DiningGolden.store() : CampusGolden.store()
        let place = former == ["swipes"] ? [] : ["--store", store.path]
        let old = try await run(former + arguments + place)
        let new = try await run(current + arguments + place)
        #expect(old.status == 0 && new.status == 0 && new.errors.isEmpty && !new.output.isEmpty, "\(new.errors)")
        #expect(old.output == new.output)
        #expect(old.errors == "inspect: 'inspect \(former[0])' is now 'inspect \(current.joined(separator: " "))'\n")
    }

    @Test("No list has a former name, and its help is today's")
    func help() async throws {
        let all = try await run(["help"]).output
        for name in ["facility", "alerts", "food", "swipes"] { #expect(!all.contains("  \(name)  "), "\(name)") }
        let menus = try await run(["help", "menus"]).output
        #expect(menus.contains("\n  food ") && menus.contains("\n  swipes "))
        #expect(try await run(["help", "food"]).output == run(["help", "menus", "food"]).output)
    }

    @Test("Words without a key name a facility, and a query or numbers select exchanges")
    func names() async throws {
        let store = try await CampusGolden.store()
        let place = ["--store", store.path] + Self.at
        let named = try await run(["facilities", "Tea", "House"] + place)
        #expect(named.output.hasPrefix("Tea House\n"), "\(named.errors)")
        for selector in ["host:localhost", "1"] {
            let listed = try await run(["facilities", selector] + place)
            #expect(listed.output.hasPrefix("2 facilities"), "\(listed.output)\(listed.errors)")
        }
    }
}
