import Testing

@testable import Web

@Suite("Addresses are read the way they are written", .timeLimit(.minutes(15)))
struct AddressTests {
    @Test(
        "Query pairs are decoded, and what is not percent-encoding stands for itself",
        arguments: [
            ("a=1&b=2", "b", "2"), ("host=a%2Ab", "host", "a*b"), ("a=x+y", "a", "x y"), ("a=100%", "a", "100%"),
            ("a=%zz", "a", "%zz"),
            ("a", "a", ""), ("a=b=c", "a", "b=c"), ("a=%C3%A9", "a", "é"), ("%61=1", "a", "1"), ("&&a=1", "a", "1"),
        ]
    )
    func decodes(query: String, name: String, value: String) {
        #expect(QueryItems(query).first(name) == value)
    }

    @Test("Taking a pair away leaves the others as they stood")
    func removes() {
        #expect(QueryItems("a=%2a&token=x&b&token").removing("token").text == "a=%2a&b")
    }

    @Test("A secret is compared whole")
    func compares() {
        let token = AccessToken("0123456789abcdef")
        #expect(token.matches("0123456789abcdef"))
        #expect(!token.matches("0123456789abcdeg") && !token.matches("0123456789abcde") && !token.matches(""))
    }
}
