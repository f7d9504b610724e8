import Testing
import Traffic

@testable import inspect

@Suite("What helps against a refusal", .timeLimit(.minutes(15)))
struct RefusalRemedyTests {
    @Test(
        "Each refusal names the option that lifts it, and another failure names none",
        arguments: [
            (.client, .connect, .notAllowed, "inspect start --allow-local"),
            (.client, .request, .notAllowed, "inspect start --allow-client CIDR"),
            (.client, .request, .host, "inspect start --allow-host NAME"),
            (
                .upstream, .connect, .proxyAuthentication,
                "inspect start --upstream-proxy SCHEME://USER:PASSWORD@HOST:PORT"
            ),
            (.client, .request, .proxyAuthentication, nil), (.upstream, .connect, .refused, nil),
        ] as [(ExchangeFailure.Side, ExchangeFailure.Phase, Cause, String?)]
    )
    func names(side: ExchangeFailure.Side, phase: ExchangeFailure.Phase, cause: Cause, command: String?) {
        let failure = ExchangeFailure(side: side, phase: phase, cause: cause, message: "It was refused.", retry: true)
        #expect(RefusalRemedy(failure)?.command == command)
    }

    @Test(
        "A login goes to the proxy that asked for it, by the scheme that it has",
        arguments: [
            ("http://127.0.0.1:3128", "http://USER:PASSWORD@127.0.0.1:3128"),
            ("socks5://proxy.test:1080", "socks5://USER:PASSWORD@proxy.test:1080"),
            ("socks5://[::1]:1080", "'socks5://USER:PASSWORD@[::1]:1080'"),
        ]
    )
    func logsIn(proxy: String, url: String) {
        let failure = ExchangeFailure(
            side: .upstream,
            phase: .connect,
            cause: .proxyAuthentication,
            message: "The upstream proxy \(proxy) asks for a user and a password, and was given none.",
            retry: true
        )
        #expect(RefusalRemedy(failure)?.command == "inspect start --upstream-proxy \(url)")
    }
}
