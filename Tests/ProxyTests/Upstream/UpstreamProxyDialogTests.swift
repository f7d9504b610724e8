import NIOCore
import Testing
import Traffic

@testable import Proxy

/// What comes of an upstream proxy's answers; no test opens a connection.
@Suite(.timeLimit(.minutes(15)))
struct UpstreamProxyDialogTests {
    private static let hints = "HTTP/1.1 103 Early Hints\r\n\r\n"
    private static let flood =
        "interim-flood: The upstream proxy http://proxy.test:1 sent more than 64 interim responses."

    /// A dialog with a proxy that was sent a CONNECT.
    private static func dialog() -> UpstreamProxyDialog {
        UpstreamProxyDialog(
            UpstreamProxy(.http, Endpoint(host: "proxy.test", port: 1)),
            target: Endpoint(host: "a.test", port: 2),
            limits: HeadLimits(),
            interimLimitCount: 64
        )
    }

    /// What comes of bytes that are read at once: what is done next, with the bytes that are left, or why there is no connection.
    private static func outcome(of text: String, _ dialog: inout UpstreamProxyDialog) -> String {
        var bytes = ByteBuffer(string: text)
        do throws(ExchangeFailure) {
            let step = try dialog.next(&bytes)
            return "\(step == .done ? "done" : "wait") \(String(buffer: bytes))"
        } catch {
            return "\(error.cause): \(error.message)"
        }
    }

    @Test(
        "Interim responses to a CONNECT are passed over, up to a number, however many come at once",
        arguments: [0, 1, 64, 65, 4_096]
    )
    func interims(count: Int) {
        let hints = String(repeating: Self.hints, count: count)
        var (atOnce, oneByOne) = (Self.dialog(), Self.dialog())
        let end = count > 64 ? Self.flood : "done hello"
        let first = Self.outcome(of: hints + "HTTP/1.1 200 OK\r\n\r\nhello", &atOnce)
        #expect(first == end)
        for _ in 0..<min(count, 64) {
            let outcome = Self.outcome(of: Self.hints, &oneByOne)
            #expect(outcome == "wait ")
        }
        let last = Self.outcome(of: count > 64 ? Self.hints : "HTTP/1.1 200 OK\r\n\r\nhello", &oneByOne)
        #expect(last == end)
    }
}
