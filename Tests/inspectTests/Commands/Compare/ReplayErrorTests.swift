import Testing
import Traffic

@testable import inspect

@Suite("A replay that was refused is told with the option that lets it be sent", .timeLimit(.minutes(15)))
struct ReplayErrorTests {
    @Test(
        "Each way out has its option",
        arguments: [
            (.authorization, "no; give --header 'Authorization: …'"),
            (.path, "no; give --send-credentials, or another path"),
            (.body, "no; give --send-credentials, or another --body"), (nil, "no"),
        ] as [(ReplayError.WayOut?, String)]
    )
    func words(wayOut: ReplayError.WayOut?, words: String) {
        #expect(ReplayError("no", wayOut: wayOut).words == words)
    }
}
