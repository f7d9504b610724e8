import Foundation
import Support
import Testing

/// `inspect run` with the programs that people have, each verifying certificates as it does by default.
@Suite("Programs started by inspect run", .timeLimit(.minutes(6)))
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

    @Test("Without trust each of them refuses the certificate, which is a failed row on its client's side")
    func refused() async throws {
        let directory = try TemporaryDirectory()
        try await RuntimePrograms.write(to: directory)
        // What the system trusts is not what this machine's owner may have had it trust.
        let untrusting = """
            $RUN env -u SSL_CERT_FILE -u CURL_CA_BUNDLE -u REQUESTS_CA_BUNDLE -u GIT_SSL_CAINFO -u WGETRC -u NODE_EXTRA_CA_CERTS \
            bash $DIR/untrusting
            """
        try directory.write(
            """
            export JAVA_TOOL_OPTIONS=$(printf %s "$JAVA_TOOL_OPTIONS" | sed "s/'-Djavax.net.ssl.trustStore=[^']*'//; s/-Djavax.net.ssl.trustStore[A-Z][^ ]*//g")
            exec "$@"
            """,
            to: "untrusting"
        )
        let scenario = try await ClientScenario(
            RuntimePrograms.programs(untrusting) { "https://\($0).example.test/" },
            hosts: RuntimePrograms.names.map { "\($0).example.test" },
            in: directory
        )
        let all = try await scenario.rows()
        for name in RuntimePrograms.names {
            #expect(!scenario.exits(name, with: 0), "\(scenario.story(name))")
            let rows = all.filter { $0.host == "\(name).example.test" }
            #expect(!rows.isEmpty, "\(name) was not recorded: \(scenario.story(name))")
            for row in rows {
                #expect(row.outcome == "failed" && row.code == nil && row.failure?.side == "client", "\(row)")
                let causes = ["unknown-ca", "certificate-unknown", "bad-certificate", "left", "closed"]
                #expect(causes.contains(row.failure?.cause ?? ""), "\(row)")
                // Which command follows from the program, which may have ended before it was looked for.
                #expect(row.failure?.message.contains("To mend it: inspect run -- ") == true, "\(row)")
            }
        }
    }

    @Test("Node from 24 is there to be tested, where the README's environment is")
    func node() {
        #expect(RuntimePrograms.names.contains("node24-fetch"))
    }
}
