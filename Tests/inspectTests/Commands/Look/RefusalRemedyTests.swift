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
                "inspect start --upstream-proxy http://USER:PASSWORD@HOST:PORT"
            ),
            (.client, .request, .proxyAuthentication, nil), (.upstream, .connect, .refused, nil),
        ] as [(ExchangeFailure.Side, ExchangeFailure.Phase, Cause, String?)]
    )
    func names(side: ExchangeFailure.Side, phase: ExchangeFailure.Phase, cause: Cause, command: String?) {
        let failure = ExchangeFailure(side: side, phase: phase, cause: cause, message: "It was refused.", retry: true)
        #expect(RefusalRemedy(failure)?.command == command)
    }
}
