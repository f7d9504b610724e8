import NIOCore
import NIOHPACK
import Support
import Testing
import Traffic

@testable import Proxy

/// What the proxy's own parsers make of thousands of inputs that are nearly right: never a trap.
@Suite("No bytes of a peer trap", .timeLimit(.minutes(15)))
struct ParserFuzzTests {
    private static let rounds = 20_000

    @Test("The first bytes of a tunnel are told apart the same however they are cut", arguments: 0..<4)
    func nextProtocol(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let pieces = [
            "\u{16}", "\u{3}", "\u{1}", "\0", "GET", " ", "/", "*", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "PRI", "h",
            "\r\n", "AAAAAAAAAAAAAAAA", "(",
        ]
        for _ in 0..<Self.rounds {
            let bytes = random.bytes(of: pieces, atMost: 60)
            let whole = NextProtocol(bytes)
            let part = NextProtocol(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            #expect(part == whole || part == .undecided, "\(bytes)")
        }
    }

    @Test("Heads are read, routed and framed, or refused", arguments: 0..<4)
    func heads(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed + 10))
        let targets = [
            "http://", "https://", "ws://", "a.test", ":", "80", "99999", "/", "//", "?", "#", "@", "[", "]", "::1",
            "%", "*", "\\", ";", "ftp://", "HTTP://", "é",
        ]
        let lines = [
            "Host: a.test\r\n", "Host: ", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Connection: ",
            "close", ",", "Expect: 100-continue\r\n",
            "Expect: ", "Upgrade: websocket\r\n", "X: y\r\n", "\r\n", ":", " ", "\t", "TE: trailers\r\n",
        ]
        var routedCount = 0
        for _ in 0..<Self.rounds {
            let target = String(decoding: random.bytes(of: targets, atMost: 60), as: UTF8.self).filter { $0 != " " }
            var text = Array("GET \(target) HTTP/1.\(Int.random(in: 0...1, using: &random))\r\n".utf8)
            text += random.bytes(of: lines, atMost: 120) + Array("\r\n\r\n".utf8)
            guard let end = text.withUnsafeBytes({ HTTP1HeadParser.endOfHead($0, from: 0) }),
                let head = try? HTTP1HeadParser.request(ByteBuffer(bytes: text.prefix(end)), limits: HeadLimits())
            else { continue }
            _ = try? RequestRoute.checkHost(head)
            _ = try? Expectation.check(head)
            guard let route = try? RequestRoute(absolute: head) else { continue }
            routedCount += 1
            let sent = HopByHop.request(head, target: route.originTarget, host: route.host)
            // What is sent on reads as one head, in origin-form.
            let again = try? HTTP1HeadParser.request(sent, limits: HeadLimits())
            #expect(
                again != nil && (again?.targetText.first == "/" || again?.targetText == "*"),
                "\(String(buffer: sent).debugDescription)"
            )
        }
        #expect(routedCount > 100, "\(routedCount)")
    }

    @Test("HTTP/2 field sections are read, and what is accepted is one head in HTTP/1", arguments: 0..<4)
    func fieldSections(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed + 20))
        let names = [
            ":method", ":scheme", ":authority", ":path", ":protocol", ":status", "host", "cookie", "te",
            "content-length", "x", "X", "", "connection",
            "transfer-encoding", "a b", "x\r\ny", "expect",
        ]
        let values = [
            "GET", "CONNECT", "https", "http", "a.test", "/", "/x", "*", "", "5", "trailers", "a\r\nb", "\0", " ", "\t",
            "200", "é", "a.test:99999", "u@a",
        ]
        var acceptedCount = 0
        for _ in 0..<Self.rounds {
            var headers = HPACKHeaders()
            if Bool.random(using: &random) {
                headers = [":method": "GET", ":scheme": "https", ":authority": "a.test", ":path": "/x"]
            }
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                headers.add(
                    name: names.randomElement(using: &random) ?? "",
                    value: values.randomElement(using: &random) ?? ""
                )
            }
            let endsStream = Bool.random(using: &random)
            _ = try? HTTP2HeadReader.response(headers, endsStream: endsStream, to: "GET", limits: HeadLimits())
            _ = try? HTTP2HeadReader.trailers(headers, limits: HeadLimits())
            guard let head = try? HTTP2HeadReader.request(headers, endsStream: endsStream, limits: HeadLimits()),
                head.extendedProtocol == nil, head.method != "CONNECT", (try? RequestRoute.checkHost(head)) != nil,
                let route = try? RequestRoute(
                    origin: head,
                    scheme: .https,
                    endpoint: Endpoint(host: "a.test", port: 443)
                )
            else { continue }
            acceptedCount += 1
            let sent = HTTP1Translation.request(head, route: route)
            let again = try? HTTP1HeadParser.request(sent, limits: HeadLimits())
            #expect(
                again?.method == head.method && again?.targetText == head.targetText,
                "\(String(buffer: sent).debugDescription)"
            )
        }
        #expect(acceptedCount > 100, "\(acceptedCount)")
    }

    @Test("A ClientHello with any bytes changed is read the same however it is cut, or refused", arguments: 0..<4)
    func clientHello(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed + 30))
        let name = Array("a.example.test".utf8)
        let sni = [0, 0, 0, UInt8(name.count + 5), 0, UInt8(name.count + 3), 0, 0, UInt8(name.count)] + name
        let alpn: [UInt8] = [0, 16, 0, 14, 0, 12, 2] + Array("h2".utf8) + [8] + Array("http/1.1".utf8)
        let extensions = sni + alpn
        let body =
            [3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x13, 1, 1, 0, 0, UInt8(extensions.count)]
            + extensions
        let hello = [0x16, 3, 1, 0, UInt8(body.count + 4), 1, 0, 0, UInt8(body.count)] + body
        var reader = ClientHelloReader()
        let expected = ClientHello(
            serverName: "a.example.test",
            applicationProtocols: ["h2", "http/1.1"],
            marks: ClientHelloMarks(version: 0x0303, ciphers: [0x1301], extensions: [0, 16])
        )
        #expect(reader.take(ByteBuffer(bytes: hello)) == .whole(expected))
        for _ in 0..<Self.rounds / 4 {
            var bytes = hello
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            var whole = ClientHelloReader()
            let reading = whole.take(ByteBuffer(bytes: bytes))
            var cut = ClientHelloReader()
            var last = ClientHelloReader.Reading.incomplete
            var rest = bytes[...]
            while last == .incomplete, !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...16, using: &random))
                last = cut.take(ByteBuffer(bytes: piece))
                rest = rest.dropFirst(piece.count)
            }
            #expect(last == reading, "\(bytes)")
        }
    }
}
