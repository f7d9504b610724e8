import NIOCore
import NIOEmbedded
import NIOHTTP2
import Support
import Testing
import Traffic

@testable import Proxy

/// Readers of what peers send: no bytes may trap, hang or grow.
@Suite("No bytes of a peer hang a reader or make it grow", .timeLimit(.minutes(15)))
struct WireFuzzTests {
    static let parsers: [Fuzz] = [
        Fuzz(
            "http1-requests",
            pieces: [
                "\r\n", "\n", "\r", " ", ":", ",", ";", "0", "5\r\n", "HTTP/1.1", "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "Content-Length: 5\r\n",
                "Transfer-Encoding: chunked\r\n", "Connection: a\r\n", "Cookie: a=b\r\n", "X: y\r\n", "\r\n\r\n", "\0",
            ]
        ) { bytes in
            _ = try CodecTranscript.requests(bytes, pieceBytes: 1 + bytes.count / 16, closes: true)
        },
        Fuzz(
            "http1-responses",
            pieces: [
                "\r\n", "\n", " ", ":", ";", "0\r\n", "5\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "Content-Length: 5\r\n",
                "Set-Cookie: a\r\n",
                "Transfer-Encoding: chunked\r\n", "X: y\r\n", "\r\n\r\n", "\0",
            ]
        ) { bytes in
            for method in ["GET", "HEAD", "CONNECT"] {
                _ = try CodecTranscript.responses(to: method, bytes, pieceBytes: 1 + bytes.count / 16, closes: true)
            }
        },
        Fuzz(
            "http2-frames",
            pieces: [
                "\0\0\0\u{4}\0\0\0\0\0", "\0\0\u{1}\u{9}\0\0\0\0\u{1}@", "\0\0\0\0\0\0\0\0\u{1}", "\0\0\u{4}\u{3}\0",
                "\0",
            ]
        ) { bytes in
            let splitter = FrameSplitter(isClient: false, joined: JoinedWrites())
            let channel = EmbeddedChannel(handlers: [splitter, NIOHTTP2Handler(mode: .server)])
            defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            let step = 1 + bytes.count / 16
            for start in stride(from: 0, to: bytes.count, by: step) {
                try channel.writeInbound(ByteBuffer(bytes: bytes[start..<min(start + step, bytes.count)]))
                while let frame = try channel.readInbound(as: HTTP2Frame.self) {
                    guard case .headers(let section) = frame.payload else { continue }
                    let (fields, ends, limits) = (section.headers, section.endStream, HeadLimits())
                    _ = try? HTTP2HeadReader.request(fields, endsStream: ends, limits: limits)
                    _ = try? HTTP2HeadReader.response(fields, endsStream: ends, to: "GET", limits: limits)
                    _ = try? HTTP2HeadReader.trailers(fields, limits: limits)
                }
            }
        },
        Fuzz(
            "client-hello",
            pieces: ["\u{16}\u{3}\u{1}\0\u{1}", "\u{1}\0\0\u{9}", "\0\0\0\u{9}", "\u{2}h2", "\0"],
            mostBytes: 32 << 10
        ) { bytes in
            var reader = ClientHelloReader()
            let step = 1 + bytes.count / 16
            for start in stride(from: 0, to: bytes.count, by: step) {
                let piece = bytes[start..<min(start + step, bytes.count)]
                guard reader.take(ByteBuffer(bytes: piece)) == .incomplete else { break }
            }
        },
        Fuzz("server-hello", pieces: ["\u{16}\u{3}\u{3}\0\u{1}", "\u{2}\0\0\u{9}", "\0"]) { bytes in
            var reader = ServerHelloReader()
            for byte in bytes where !reader.isDone { reader.take(ByteBuffer(bytes: [byte])) }
        },
        Fuzz(
            "socks",
            pieces: ["\u{5}\u{1}\0", "\u{5}\u{1}\0\u{1}", "\u{5}\u{1}\0\u{3}", "\u{1}\u{4}user\u{5}pa:ss", "\0"]
        ) { bytes in
            for credentials in [nil, Credentials("user:pa:ss")] {
                var negotiation = SOCKS5Negotiation(credentials: credentials)
                negotiation.take(ByteBuffer(bytes: bytes))
                // As many steps as there are bytes, at most.
                for _ in bytes {
                    guard case .send = negotiation.next() else { break }
                }
                _ = (negotiation.unread, negotiation.takeRest())
            }
        },
        Fuzz(
            "upstream-proxy",
            pieces: ["HTTP/1.1 200 OK\r\n", "X: y\r\n", "\r\n", "\u{5}\0", "\u{1}\0", "\u{5}\0\0\u{3}\u{2}", "\0"]
        ) { bytes in
            for kind in [UpstreamProxy.Kind.http, .socks5] {
                for credentials in [nil, Credentials("user:pa:ss")] {
                    let proxy = UpstreamProxy(kind, Endpoint(host: "a.test", port: 1), credentials: credentials)
                    var dialog = UpstreamProxyDialog(
                        proxy,
                        target: Endpoint(host: "b.test", port: 2),
                        limits: HeadLimits(),
                        interimLimitCount: 64
                    )
                    var buffer = ByteBuffer(bytes: bytes)
                    for _ in bytes {
                        guard let step = try? dialog.next(&buffer), case .send = step else { break }
                    }
                }
            }
        },
        Fuzz("websocket", pieces: ["\u{1}\u{1}a", "\0\0", "\u{9}\0", "\u{1}~\0\u{7F}", "\0\0\0\0"], mostBytes: 8 << 10)
        { bytes in
            for field in [
                "permessage-deflate", "permessage-deflate; client_no_context_takeover; server_no_context_takeover",
            ] {
                var reader = WebSocketMessageReader(
                    side: .response,
                    compression: WebSocketCompression(field),
                    limits: MessageLimits(keptBytes: 1_000, decodedBytes: 1 << 20)
                )
                _ = Frames.read(bytes, with: &reader, step: 1 + bytes.count / 16, isEnded: true)
            }
        },
        Fuzz("grpc", pieces: ["\0\0\0\0\u{1}", "\u{1}\0\0\0\u{9}", "\0\0\0\0\0", "\u{7F}"]) { bytes in
            var reader = GRPCReader(
                side: .response,
                coding: "gzip",
                limits: MessageLimits(keptBytes: 1_000, decodedBytes: 1 << 20)
            )
            bytes.withUnsafeBytes { reader.read($0, time: 0) { _ in } }
            reader.finish(time: 0) { _ in }
        },
        Fuzz(
            "event-stream",
            pieces: ["data:", "data: a\n", "\n\n", "\r", "\r\n", "id:", "event: x\n", ":", "\0", "\u{FEFF}"]
        ) { bytes in
            var reader = EventStreamReader(limits: MessageLimits(keptBytes: 1_000))
            bytes.withUnsafeBytes { reader.read($0, time: 0) { _ in } }
        },
    ]

    @Test("Nearly right bytes are read or refused, quickly and in little room", arguments: parsers)
    func random(parser: Fuzz) throws {
        #expect(try parser.run(rounds: 400).findings == [])
    }
}
