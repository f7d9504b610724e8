import Support
import Testing
import Traffic

@testable import inspect

@Suite("The tool that sends requests again", .timeLimit(.minutes(15)))
struct ReplayToolTests {
    @Test(
        "A replay that was refused is told with the argument that lets it be sent, and no option",
        arguments: [
            (.authorization, #"no; give "Authorization: …" in 'headers'"#),
            (.path, "no; leave 'to' out, which sends it to its own origin"),
            (.body, "no; give another 'body', or leave 'to' out, which sends it to its own origin"), (nil, "no"),
        ] as [(ReplayError.WayOut?, String)]
    )
    func words(wayOut: ReplayError.WayOut?, words: String) {
        #expect(ReplayError("no", wayOut: wayOut).toolWords == words)
    }

    @Test("A base URL with a password is refused in words of the tool alone")
    func password() async throws {
        let store = try await MaskedStore(secret: "aB3dE6gH9kL2mN5p")
        let answer = await store.answer("replay", #"{"query":"id:2","to":"http://u:p@api.example.test"}"#)
        #expect(answer == #"a base URL takes no user and password; give "Authorization: …" in 'headers'"#)
    }
}
