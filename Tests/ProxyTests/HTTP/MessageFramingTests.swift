import NIOCore
import Testing
import Traffic

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct MessageFramingTests {
    private func fields(_ lines: String) -> HeaderList { HeaderList(trailers: ByteBuffer(string: lines)) }

    @Test("A request without framing fields has no body, whatever its method and version")
    func request() throws {
        #expect(try MessageFraming.request(fields("Host: a\r\n"), version: .http11) == .none)
        #expect(try MessageFraming.request(fields(""), version: .http10) == .none)
        #expect(try MessageFraming.request(fields("Content-Length: 3\r\n"), version: .http10) == .length(3))
    }

    @Test(
        "A response's body follows from code, method and fields",
        arguments: [
            (200, "GET", "", BodyFraming.untilClose), (200, "GET", "Content-Length: 0\r\n", .none),
            (200, "CONNECT", "Content-Length: 7\r\n", .length(7)), (200, "HEAD", "", .none),
            (500, "HEAD", "Content-Length: 9\r\n", .none), (204, "GET", "Transfer-Encoding: chunked\r\n", .none),
            (304, "GET", "Content-Length: 9\r\n", .none), (199, "GET", "Content-Length: 9\r\n", .none),
            (205, "GET", "Content-Length: 9\r\n", .length(9)), (999, "GET", "Transfer-Encoding: chunked\r\n", .chunked),
            (200, "head", "Content-Length: 9\r\n", .length(9)),
        ]
    )
    func response(code: Int, method: String, lines: String, framing: BodyFraming) throws {
        #expect(try MessageFraming.response(fields(lines), code: code, version: .http11, to: method) == framing)
    }

    @Test("Ambiguous framing is refused where there is no body too", arguments: ["HEAD", "GET"])
    func refused(method: String) {
        #expect(throws: MessageProblem.self) {
            try MessageFraming.response(
                fields("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"),
                code: 304,
                version: .http11,
                to: method
            )
        }
    }
}
