import NIOCore
import Testing
import Traffic

@Suite("Secrets in fields do not leave the machine", .timeLimit(.minutes(15)))
struct RedactorTests {
    private static let secret = "q7Wn2Zk9Lx4Tb8Vd"

    /// The heads of an exchange that has a line in both of them, as they are exported.
    private func masked(_ line: String) throws -> [String] {
        let sample = SampleExchange(
            head: "GET /a HTTP/1.1\nHost: api.example.test\n\(line)\n\n",
            target: "/a",
            response: "HTTP/1.1 200 OK\n\(line)\n\n"
        )
        let redactor = Redactor { secret in (0..<16).map { UInt8(truncatingIfNeeded: secret.count + $0) } }
        let exchange = try redactor.redact(sample.record, source: sample.source).exchange
        return [exchange.request.head, exchange.response?.head ?? ByteBuffer()].map(String.init(buffer:))
    }

    @Test(
        "A field that carries a secret is masked, and its name stays",
        arguments: [
            "Authorization: Bearer *", "Authorization: *", "Proxy-Authorization: Bearer *", "Cookie: a=*; b=1",
            "Set-Cookie: sid=*; Path=/", "X-Api-Key: *", "Ocp-Apim-Subscription-Key: *", "X-Auth-Token: *",
            "X-CSRF-Token: *", "X-Amz-Security-Token: *", "X-Hub-Signature-256: *", "X-Client-Secret: *",
            "Authorization: Bearer\n *", "Authorization: Basic \n\t*", "Cookie: a=1;\n b=*", "X-Api-Key: \n *",
            "Set-Cookie: a=1; Path=/, b=*; Path=/", "Set-Cookie: a=1; Path=/; b=*", "Authorization: * and more",
            "X-\(String(repeating: "Long-", count: 40))Api-Key: *",
        ]
    )
    func secrets(line: String) throws {
        for head in try masked(line.replacing("*", with: Self.secret)) {
            #expect(!head.contains(Self.secret) && head.contains("\r\n\(line.prefix { $0 != ":" }): "), "\(head)")
        }
    }

    @Test("The record of rules keeps their names, and loses a secret that the exchange told")
    func rules() throws {
        var sample = SampleExchange(head: "GET /a HTTP/1.1\nAuthorization: Bearer \(Self.secret)\n\n", target: "/a")
        let (name, plain) = ("token=\(Self.secret)", "host, Authorization removed, $.items[*].role ×20")
        sample.exchange.rules = [
            RuleUse(rule: name, phase: .requestHead, action: "request", what: plain),
            RuleUse(
                rule: "b",
                phase: .requestHead,
                action: "request",
                what: "query \(Self.secret) removed",
                note: "skipped: '/\(Self.secret)' is no target that can be sent"
            ),
        ]
        let redactor = Redactor { secret in (0..<16).map { UInt8(truncatingIfNeeded: secret.count + $0) } }
        let record = try redactor.redact(sample.record, source: sample.source)
        let uses = record.exchange.rules
        #expect(uses.map(\.rule) == [name, "b"] && uses[0].what == plain && uses[0].note == nil)
        #expect(!uses[1].what.contains(Self.secret) && uses[1].note?.contains(Self.secret) == false)
        #expect(record.summary.rules == [name, "b"] && record.summary.isModified)
    }

    @Test(
        "A field that carries none stays as it is",
        arguments: [
            "X-Api-Version: *", "Accept: *", "X-Token-Type: *", "Content-Length: 12", "X-Request-Id: *",
            "Access-Control-Allow-Credentials: true", "X-Trace: a\n b",
            "Set-Cookie: a=; Path=/, b=; Expires=Wed, 21 Oct",
        ]
    )
    func plain(line: String) throws {
        let line = line.replacing("*", with: "value7")
        let kept = line.replacing("\n", with: "\r\n")
        for head in try masked(line) { #expect(head.contains("\r\n\(kept)\r\n"), "\(head)") }
    }
}
