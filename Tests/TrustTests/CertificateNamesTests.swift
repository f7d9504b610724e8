import Testing

@testable import Trust

@Suite(.timeLimit(.minutes(15)))
struct CertificateNamesTests {
    @Test(
        "A name of a certificate stands for a host name, or a wildcard for one whole label",
        arguments: [
            ("api.example.test", "api.example.test", true), ("api.example.test", "example.test", false),
            ("*.example.test", "api.example.test", true), ("*.example.test", "a.b.example.test", false),
            ("*.example.test", "example.test", false), ("*.test", "example.test", false),
            ("a*.example.test", "api.example.test", false),
            ("*.*.test", "a.b.test", false), ("", "", false), ("localhost", "localhost", true),
        ]
    )
    func matching(pattern: String, name: String, isMatch: Bool) {
        #expect(CertificateNames.matches(pattern, name) == isMatch)
    }

    @Test("What is no certificate is for no name")
    func garbage() { #expect(!CertificateNames.cover([1, 2, 3], name: "localhost")) }
}
