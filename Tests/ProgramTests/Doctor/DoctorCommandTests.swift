import Foundation
import Support
import Testing
import Trust

/// `inspect doctor` on a healthy machine of the test's own, and with one fault after the other.
@Suite("What keeps traffic from being captured", .timeLimit(.minutes(15)))
struct DoctorCommandTests {
    /// What the shells of the test have beside the machine's own: a wait for a line of a program's, and variables without roots.
    private static let tools = #"""
        said() { grep -q "$1" <(tail -s .05 --pid="$3" -n +1 -F "$2" 2> /dev/null); }
        bare() {
            unset SSL_CERT_FILE CURL_CA_BUNDLE REQUESTS_CA_BUNDLE PIP_CERT GIT_SSL_CAINFO AWS_CA_BUNDLE CARGO_HTTP_CAINFO DENO_CERT NODE_EXTRA_CA_CERTS
        }

        """#

    /// The conclusion where nothing is wrong.
    private static let ok = "ok: what is sent through the proxy is captured"

    @Test(
        "A healthy machine is told ok, and what works; each of the planted faults is found, with the command that mends it, and no other"
    )
    func faults() async throws {
        let directory = try TemporaryDirectory()
        for (name, age) in [("other", 0.0), ("expired", -3 * 365 * 86_400), ("future", 30 * 86_400)] {
            let files = TrustFiles(directory: directory.file(name))
            _ = try files.openRoot(hostName: "test", now: Date().addingTimeInterval(age))
        }
        let groups = PlantedFaults.all
        let each = groups.enumerated().map { $1.script(sayingTo: "said-\($0)") }
        let ran = try await MachineScenario.run(
            Self.tools + #"""
                cp /etc/ssl/certs/ca-certificates.crt "$DIR/roots-before"; cp /etc/ssl/certs/java/cacerts "$DIR/java-before"
                inspect ca install --yes --ca-directory "$DIR/ca" > "$DIR/installed" 2>&1 || cat "$DIR/installed"
                cp /etc/ssl/certs/ca-certificates.crt "$DIR/roots-after"; cp /etc/ssl/certs/java/cacerts "$DIR/java-after"
                "$INSPECT" start --port 0 --web-port 0 $PLACES > "$DIR/start" 2>&1 & proxy=$!
                said ^page "$DIR/start" $proxy || { cat "$DIR/start"; exit 1; }
                eval "$("$INSPECT" env $PLACES)"
                "$INSPECT" doctor $PLACES; echo "healthy: $?"
                """# + "\n" + each.joined() + #"""
                    "$INSPECT" doctor $PLACES; echo "healthy still: $?"
                    kill $proxy; wait $proxy
                    """#,
            in: directory
        )
        let expected =
            [Self.ok, "healthy: 0"] + groups.map { "\($0.name): 1" } + [Self.ok, "healthy still: 0"]
        let told = ran.output.split(separator: "\n").map(String.init)
        #expect(told.filter { !$0.hasPrefix("works  ") } == expected, "\(ran.output)\(ran.errors)")
        let healthy = told.prefix { $0 != Self.ok }
        for words in [
            "the root certificate is valid until ", "the proxy answers at 127.0.0.1:",
            "the proxy passes a request on and records it", "the variables of this shell lead to the proxy",
            "the root is trusted by ", "the store \(directory.file("captures.db")) can be read and written",
            "the disk has room",
        ] { #expect(healthy.contains { $0.hasPrefix("works  " + words) }, "\(words): \(ran.output)") }
        let trusting = healthy.first { $0.contains("trusted by") } ?? ""
        for name in ["curl of this shell", "Python of this shell"] { #expect(trusting.contains(name), "\(trusting)") }
        for (number, group) in groups.enumerated() {
            let said =
                (try? directory.read("said-\(number)")).map { String(decoding: $0, as: UTF8.self) } ?? ""
            let lines = said.split(separator: "\n").map(String.init)
            for fault in group.faults {
                let problem = fault.problem.replacing("DIR", with: directory.path)
                let mend = "  fix: "
                let place = lines.firstIndex { $0.contains(problem) }
                guard let place, place + 1 < lines.count else {
                    Issue.record("\(fault.name) is not found: \(said)")
                    continue
                }
                let told = lines[place + 1]
                #expect(
                    told.hasPrefix(mend) && told.contains(fault.mend.replacing("DIR", with: directory.path)),
                    "\(fault.name): \(said)"
                )
            }
            let conclusion = lines.last ?? ""
            let starts = [
                "Capturing does not work; begin with: ", "Capturing works, but ",
            ]
            #expect(starts.contains { conclusion.hasPrefix($0) }, "\(group.name): \(said)")
            let count = lines.filter { $0.hasPrefix("  fix: ") }.count
            let due = group.faults.reduce(0) { $0 + $1.count }
            #expect(group.hasOthers ? count > due : count == due, "\(group.name): \(said)")
        }
        // Asked once: a proxy that refuses refuses the next try too.
        let rows = String(decoding: try directory.read("second-rows"), as: UTF8.self)
        #expect(rows.split(separator: "\n").count == 1 && rows.contains(#""outcome":"failed""#), "\(rows)")
    }

    @Test("What is found is an exit status as well where nobody reads of it")
    func unread() async throws {
        let directory = try TemporaryDirectory()
        let ran = try await UnreadOutput.run(
            ["doctor"] + RunningInspect.places(directory),
            environment: RunningInspect.environment(directory)
        )
        #expect(ran.output == "1\n", "\(ran)")
    }
}
