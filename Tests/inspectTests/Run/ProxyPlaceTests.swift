import Testing

@testable import inspect

@Suite("Where a client on this machine reaches a proxy", .timeLimit(.minutes(15)))
struct ProxyPlaceTests {
    @Test("A proxy's login stands in its address as a URL has it, and is read back")
    func login() {
        let place = ProxyPlace(host: "::", port: 80, credentials: "us%40er:a%20b%3A%25")
        #expect(place.url == "http://us%40er:a%20b%3A%25@[::1]:80")
        #expect(place.login?.user == "us@er" && place.login?.password == "a b:%")
        #expect(ProxyPlace(host: "localhost", port: 80).login == nil)
    }

    @Test(
        "Where it listens on every address it is reached by loopback",
        arguments: [
            ("0.0.0.0:9090", "http://127.0.0.1:9090"), ("[::]:80", "http://[::1]:80"),
            ("127.0.0.1:1", "http://127.0.0.1:1"), ("[2001:db8::1]:2", "http://[2001:db8::1]:2"), ("a.test", nil),
        ]
    )
    func address(_ address: String, _ url: String?) { #expect(ProxyPlace(address: address)?.url == url) }
}
