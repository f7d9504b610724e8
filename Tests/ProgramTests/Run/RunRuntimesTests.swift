import Foundation
import Support
import Testing

/// `inspect run` with the programs that people have, each verifying certificates as it does by default.
@Suite("Programs started by inspect run", .timeLimit(.minutes(15)))
struct RunRuntimesTests {
    @Test("curl, wget, git, Python, Node, Java and Go are captured and decrypted")
    func captured() async throws {
        let directory = try TemporaryDirectory()
        try await RuntimePrograms.write(to: directory)
        let host = "origin.example.test"
        let scenario = try await ClientScenario(
            RuntimePrograms.programs("$RUN") { "https://\(host)/\($0)" },
            hosts: [host],
            in: directory
        )
        let all = try await scenario.rows()
        for name in RuntimePrograms.names {
            #expect(scenario.exits(name, with: 0), "\(scenario.story(name))")
            let rows = all.filter { $0.target.hasPrefix("/\(name)") }
            #expect(!rows.isEmpty, "\(name) was not recorded: \(scenario.story(name))")
            for row in rows { #expect(row.scheme == "https" && row.host == host && row.code == 200, "\(row)") }
        }
    }

    @Test("Node from 24 is there to be tested, where the README's environment is")
    func node() {
        #expect(RuntimePrograms.names.contains("node24-fetch"))
    }
}
