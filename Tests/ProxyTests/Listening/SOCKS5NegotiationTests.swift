import NIOCore
import Testing
import Traffic

@testable import Proxy

/// The listener's half of SOCKS 5, by its bytes.
@Suite(.timeLimit(.minutes(15)))
struct SOCKS5NegotiationTests {
    private static let user = Credentials("user:pa:ss")

    /// What a client sends, and what becomes of it.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let steps: [String]
        var asks = false
    }

    private static let greeting: [UInt8] = [5, 1, 0]
    private static let login: [UInt8] = [5, 1, 2, 1, 4] + Array("user".utf8) + [5] + Array("pa:ss".utf8)
    private static func request(_ kind: UInt8, _ address: [UInt8], port: UInt16 = 80) -> [UInt8] {
        [5, 1, 0, kind] + address + [UInt8(port >> 8), UInt8(port & 0xFF)]
    }
    private static func name(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }

    static let cases: [Case] = [
        Case(
            testDescription: "IPv4",
            bytes: greeting + request(1, [192, 0, 2, 7], port: 8_080),
            steps: ["send 0500", "connect 192.0.2.7:8080"]
        ),
        Case(
            testDescription: "IPv6",
            bytes: greeting + request(4, [0x20, 1, 0xD, 0xB8] + Array(repeating: 0, count: 11) + [1]),
            steps: ["send 0500", "connect [2001:db8::1]:80"]
        ),
        Case(
            testDescription: "a name, in lower case",
            bytes: greeting + request(3, name("WWW.Example.com")),
            steps: ["send 0500", "connect www.example.com:80"]
        ),
        Case(
            testDescription: "an IPv6 address as a name",
            bytes: greeting + request(3, name("::1")),
            steps: ["send 0500", "connect [::1]:80"]
        ),
        Case(
            testDescription: "several methods",
            bytes: [5, 3, 1, 2, 0] + request(1, [192, 0, 2, 7]),
            steps: ["send 0500", "connect 192.0.2.7:80"]
        ),
        Case(
            testDescription: "the right user and password",
            bytes: login + request(1, [192, 0, 2, 7]),
            steps: ["send 0502", "send 0100", "connect 192.0.2.7:80"],
            asks: true
        ),
        Case(
            testDescription: "a wrong password",
            bytes: [5, 1, 2, 1, 4] + Array("user".utf8) + [5] + Array("pa:sS".utf8),
            steps: ["send 0502", "refuse 0101 proxy-authentication"],
            asks: true
        ),
        Case(
            testDescription: "no login where one is asked for",
            bytes: greeting,
            steps: ["refuse 05ff proxy-authentication"],
            asks: true
        ),
        Case(testDescription: "a login nobody asked for", bytes: [5, 1, 2], steps: ["refuse 05ff socks-method"]),
        Case(testDescription: "no methods", bytes: [5, 0], steps: ["refuse 05ff socks-method"]),
        Case(testDescription: "SOCKS 4", bytes: [4, 1, 0, 80], steps: ["refuse 05ff socks-version"]),
        Case(testDescription: "HTTP", bytes: Array("GET / HTTP/1.1".utf8), steps: ["refuse 05ff socks-version"]),
        Case(
            testDescription: "BIND",
            bytes: greeting + [5, 2, 0, 1],
            steps: ["send 0500", "refuse 05070001000000000000 socks-command"]
        ),
        Case(
            testDescription: "UDP",
            bytes: greeting + [5, 3, 0, 1],
            steps: ["send 0500", "refuse 05070001000000000000 socks-command"]
        ),
        Case(
            testDescription: "an unknown address type",
            bytes: greeting + [5, 1, 0, 2],
            steps: ["send 0500", "refuse 05080001000000000000 socks-address"]
        ),
        Case(
            testDescription: "a request of another version",
            bytes: greeting + [4],
            steps: ["send 0500", "refuse 05010001000000000000 socks-version"]
        ),
        Case(
            testDescription: "port 0",
            bytes: greeting + request(1, [192, 0, 2, 7], port: 0),
            steps: ["send 0500", "refuse 05010001000000000000 socks-address"]
        ),
        Case(
            testDescription: "an empty name",
            bytes: greeting + request(3, [0]),
            steps: ["send 0500", "refuse 05010001000000000000 socks-address"]
        ),
        Case(
            testDescription: "a name with a line break",
            bytes: greeting + request(3, name("a\r\nb")),
            steps: ["send 0500", "refuse 05010001000000000000 socks-address"]
        ),
        Case(
            testDescription: "a name that is no ASCII",
            bytes: greeting + request(3, name("käse")),
            steps: ["send 0500", "refuse 05010001000000000000 socks-address"]
        ),
        Case(testDescription: "half a greeting", bytes: [5, 2, 0], steps: []),
        Case(testDescription: "half a name", bytes: greeting + [5, 1, 0, 3, 9, 65], steps: ["send 0500"]),
    ]

    @Test("Each handshake ends as RFC 1928 has it, whole or byte by byte", arguments: cases, [1, 600])
    func steps(_ example: Case, pieceBytes: Int) {
        var negotiation = SOCKS5Negotiation(credentials: example.asks ? Self.user : nil)
        var steps: [String] = []
        var rest = example.bytes[...]
        while !rest.isEmpty, steps.last?.hasPrefix("refuse") != true {
            negotiation.take(ByteBuffer(bytes: rest.prefix(pieceBytes)))
            rest = rest.dropFirst(pieceBytes)
            while let step = Self.text(negotiation.next()) {
                steps.append(step)
                if step.hasPrefix("refuse") { break }
            }
        }
        #expect(steps == example.steps)
        if steps.last?.contains("proxy-authentication") == true {
            #expect(negotiation.unread.readableBytes == 0 || !String(buffer: negotiation.unread).contains("pa:s"))
        }
    }

    @Test("What follows the request is the client's first bytes")
    func early() {
        var negotiation = SOCKS5Negotiation(credentials: nil)
        negotiation.take(ByteBuffer(bytes: Self.greeting + Self.request(1, [192, 0, 2, 7]) + Array("hello".utf8)))
        _ = negotiation.next()
        #expect(negotiation.next() == .connect(Endpoint(host: "192.0.2.7", port: 80)))
        #expect(String(buffer: negotiation.takeRest()) == "hello")
    }

    private static func text(_ step: SOCKS5Negotiation.Step) -> String? {
        func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        switch step {
        case .wait: return nil
        case .send(let bytes): return "send \(hex(bytes))"
        case .connect(let endpoint): return "connect \(endpoint)"
        case .refuse(let bytes, let cause, _): return "refuse \(hex(bytes)) \(cause)"
        }
    }
}
