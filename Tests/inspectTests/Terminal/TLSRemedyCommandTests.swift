import Testing
import Traffic

@testable import inspect

@Suite("What mends a failed handshake, as a line for a shell", .timeLimit(.minutes(15)))
struct TLSRemedyCommandTests {
    @Test(
        "Each step has its command, with names as a shell needs them",
        arguments: [
            (.passThrough(host: "api.test"), "inspect pass-through api.test"),
            (.passThrough(host: "a;rm -rf $HOME"), "inspect pass-through 'a;rm -rf $HOME'"),
            (.run(program: "python3", url: nil), "inspect run -- python3 …"),
            (.run(program: "my tool", url: nil), "inspect run -- 'my tool' …"),
            (.run(program: nil, url: nil), "inspect run -- COMMAND …"),
            (.run(program: "curl", url: "https://api.test:8443/"), "inspect run -- curl https://api.test:8443/"),
            (.browse(.chromium), "inspect browser chromium"), (.browse(.firefox), "inspect browser firefox"),
            (.installRoot, "inspect ca install --system"), (.readGuide, "inspect ca guide"),
            (.checkMachine, "inspect doctor"), (.translateProtocols, "inspect start --no-match-protocols"),
            (.lookAt(host: "api.test", port: 443), "inspect tls api.test"),
            (.lookAt(host: "::1", port: 8443), "inspect tls '[::1]:8443'"),
            (.acceptAnyUpstream, "inspect start --insecure-upstream"),
            (.trustUpstreamRoot, "inspect start --upstream-ca FILE"),
            (.showCertificate(host: "api.test"), "inspect start --client-certificate 'api.test=FILE'"),
        ] as [(TLSRemedy.Step, String)]
    )
    func commands(step: TLSRemedy.Step, command: String) {
        #expect(step.command == command)
    }
}
