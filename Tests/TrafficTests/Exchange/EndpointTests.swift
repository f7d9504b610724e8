import Testing
import Traffic

@Suite("A host and a port", .timeLimit(.minutes(15)))
struct EndpointTests {
    @Test(
        "The authority of a URL leaves out the port that is its scheme's own, and no other",
        arguments: [
            ("a.test", 443, .https, "a.test"), ("a.test", 443, .wss, "a.test"), ("a.test", 443, .http, "a.test:443"),
            ("a.test", 80, .http, "a.test"), ("a.test", 80, .https, "a.test:80"), ("a.test", 80, nil, "a.test:80"),
            ("::1", 443, .https, "[::1]"), ("::1", 8081, .https, "[::1]:8081"),
        ] as [(String, Int, Scheme?, String)]
    )
    func authority(host: String, port: Int, scheme: Scheme?, text: String) {
        #expect(Endpoint(host: host, port: port).authority(of: scheme) == text)
    }
}
