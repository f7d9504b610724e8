import Proxy
import Testing

@testable import inspect

@Suite("Why the proxy does not start, on the command line", .timeLimit(.minutes(15)))
struct ProxyStartErrorTests {
    private static let mode = ListenMode(.explicit, host: "127.0.0.1", port: 80)

    @Test(
        "The sentence ends with the option that helps, where one does",
        arguments: [
            (
                ProxyStartError.keyLog(path: "/none/keys", problem: "cannot be written (no such file)"),
                "the key log /none/keys cannot be written (no such file); name another file with --key-log"
            ),
            (
                .upstreamRoots,
                "the further upstream roots are not PEM certificates; give a file that holds at least one with --upstream-ca"
            ),
            (
                .clientCertificate(file: "own.pem", problem: "holds no private key"),
                "the client certificate own.pem holds no private key; give a PEM file with the chain and its unencrypted key with --client-certificate"
            ),
            (
                .portInUse(mode, isListed: false),
                "127.0.0.1:80 is in use by another program; choose another port with --port, or port 0 for any"
            ),
            (
                .portInUse(mode, isListed: true),
                "127.0.0.1:80 is in use by another program; choose another port with --listen-mode, or port 0 for any"
            ),
            (
                .portForbidden(mode, isListed: false),
                "127.0.0.1:80 may not be listened on by this user; choose a port above 1023 with --port"
            ),
            (
                .foreignAddress(mode, isListed: false),
                "127.0.0.1 is not an address of this machine; choose another with --listen"
            ),
            (
                .foreignAddress(mode, isListed: true),
                "127.0.0.1 is not an address of this machine; choose another with --listen-mode"
            ),
            (.listening(mode, problem: "no memory"), "cannot listen on 127.0.0.1:80: no memory"),
            (.stopped, "the proxy has stopped"),
        ]
    )
    func sentence(_ error: ProxyStartError, _ sentence: String) {
        #expect(CommandFailure.sentence(error) == sentence)
    }
}
