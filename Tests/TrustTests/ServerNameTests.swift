import Testing
import Trust

@Suite(.timeLimit(.minutes(15)))
struct ServerNameTests {
    @Test(
        "A name has one canonical spelling",
        arguments: [
            ("api.example.test", "api.example.test"),
            ("API.Example.TEST", "api.example.test"),
            ("api.example.test.", "api.example.test"),
            ("localhost", "localhost"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("BÜCHER.example", "xn--bcher-kva.example"),
            ("XN--BCHER-KVA.example", "xn--bcher-kva.example"),
            ("_dmarc.example.test", "_dmarc.example.test"),
            ("r1---sn-4g5e.example.test", "r1---sn-4g5e.example.test"),
            ("127.0.0.1", "127.0.0.1"),
            ("1.2.3.example", "1.2.3.example"),
            ("[::1]", "::1"),
            ("::1", "::1"),
            ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"),
            ("[fe80::1%25eth0]", "fe80::1"),
            ("::ffff:192.0.2.1", "::ffff:192.0.2.1"),
            (String(repeating: "a", count: 63) + ".test", String(repeating: "a", count: 63) + ".test"),
        ]
    )
    func canonical(name: String, text: String) throws {
        #expect(try ServerName(name).text == text)
    }

    @Test("Spellings of one address are one name, and never equal to a DNS name")
    func addresses() throws {
        #expect(try ServerName("[2001:db8::1]") == ServerName("2001:0DB8::0001"))
        #expect(try ServerName("127.0.0.1").kind == .address([127, 0, 0, 1]))
        #expect(try ServerName("127.0.0.1") != ServerName("::ffff:127.0.0.1"))
    }

    @Test(
        "A name no certificate should hold is refused with a sentence that shows it safely",
        arguments: [
            "", ".", "..", "a..b", ".a", "*", "*.example.test", "a b", "a\u{0}b", "127.0.0.1\u{0}.example.test", "a\nb",
            "a/b", "a@b", "a:80", "[::1", "[::1]:443", "[127.0.0.1]", "::1::", "1.2.3.4.5", "256.1.1.1", "127.1",
            "0x7f.1", "127.0.0.01", "a%00b", "a,DNS:b", "\u{202E}a.test", "exa\u{FF0F}mple.test",
            String(repeating: "a", count: 64) + ".test",
            String(repeating: "abcdefg.", count: 31) + "abcdef",
            String(repeating: "ü", count: 3_000),
        ]
    )
    func refused(name: String) {
        let error = #expect(throws: TrustError.self) { try ServerName(name) }
        let sentence = error?.description ?? ""
        #expect(sentence.contains("is not a name a certificate can hold: "))
        #expect(!sentence.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        #expect(sentence.count < 1_000)
    }

    @Test("253 bytes are a name, 254 are not")
    func longest() throws {
        let longest = String(repeating: "abcdefg.", count: 31) + "abcde"
        #expect(longest.utf8.count == 253)
        #expect(try ServerName(longest + ".").text == longest)
    }
}
