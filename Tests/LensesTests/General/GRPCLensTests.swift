import Testing
import Traffic

@testable import Lenses

@Suite(.timeLimit(.minutes(15)))
struct GRPCLensTests {
    private static func frame(_ payload: [UInt8], flags: UInt8 = 0) -> [UInt8] {
        [flags, 0, 0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
    }

    /// Field 1 "hall", 2 150, 3 a message with 1 in field 1, 4 the float 1.5, 5 the double 1.5, 6 -1.
    private static let message: [UInt8] =
        [0x0A, 4] + Array("hall".utf8) + [0x10, 0x96, 1, 0x1A, 2, 8, 1, 0x25, 0, 0, 0xC0, 0x3F]
        + [0x29, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F, 0x30] + Array(repeating: 0xFF, count: 9) + [1]

    private func capture(
        _ request: [UInt8],
        _ response: [UInt8],
        trailers: String?,
        fields: String = "",
        type: String = "application/grpc+proto",
        answerType: String = "application/grpc"
    ) -> Capture {
        LensSample.capture(
            "POST",
            "/campus.v1.Facilities/List",
            requestFields: "Content-Type: \(type)\r\ngrpc-timeout: 5S\r\n",
            request: request,
            fields: "Content-Type: \(answerType)\r\n\(fields)",
            response: response,
            trailers: trailers
        )
    }

    @Test("A slash ends a step of the path though an accent stands behind it")
    func accents() {
        let capture = LensSample.capture("POST", "/campus.v1.Facilities/\u{301}List")
        #expect(GRPCLens().view(capture).request == "\u{301}List of campus.v1.Facilities, 0 messages")
    }

    @Test("A call is read with its service, its messages and the status of its trailers")
    func call() {
        let capture = capture(
            Self.frame(Self.message),
            Self.frame([8, 1]) + Self.frame([]),
            trailers: "grpc-status: 5\r\ngrpc-message: no%20such hall\r\n"
        )
        let view = GRPCLens().view(capture)
        #expect(LensSet.standard.lens(of: capture)?.name == "grpc")
        #expect(view.request == "List of campus.v1.Facilities, 1 message")
        #expect(view.response == "2 messages, NOT_FOUND (5): no such hall")
        #expect(view.failure == "The answer says 200, but the call ended with NOT_FOUND (5): no such hall.")
        #expect(
            view.sections.map(\.title) == [
                "Call", "Request messages, by field number", "Response messages, by field number",
            ]
        )
    }

    @Test("A status in the head of an answer without messages counts, and none at all is a call that was broken off")
    func status() {
        let only = capture(Self.frame([]), [], trailers: nil, fields: "grpc-status: 0\r\n")
        #expect(GRPCLens().view(only).response == "0 messages, OK (0)" && GRPCLens().view(only).failure == nil)
        let none = capture(Self.frame([]), Self.frame([8, 1]), trailers: nil)
        #expect(GRPCLens().view(none).failure?.contains("broken off") == true)
        let web = capture(
            [],
            Self.frame([8, 1]) + Self.frame(Array("grpc-status: 13\r\ngrpc-message: x\r\n".utf8), flags: 0x80),
            trailers: nil,
            answerType: "application/grpc-web+proto"
        )
        #expect(GRPCLens().view(web).response == "1 message, INTERNAL (13): x")
    }

    @Test(
        "A status that is no number is a failure, and not a call that was broken off",
        arguments: ["", "OK", "-1", "+0", "0x5", "99999999999999999999"]
    )
    func oddStatus(text: String) {
        let odd = capture(Self.frame([]), Self.frame([8, 1]), trailers: "grpc-status: \(text)\r\n")
        let view = GRPCLens().view(odd)
        #expect(view.response == "1 message, a status that is no number (“\(text)”)")
        #expect(view.failure?.contains("broken off") == false)
    }

    @Test("Without gRPC-Web there are no trailers among the messages: such a first byte is told")
    func oddFlags() {
        let body = Self.frame([8, 1], flags: 0x80)
        #expect(told(messages(body)) == ["2 bytes, flags 0x80, which no message has"])
        let text = Self.frame(Array("grpc-status: 13\r\n".utf8), flags: 0x80)
        let view = GRPCLens().view(capture([], text, trailers: "grpc-status: 0\r\n"))
        #expect(view.response == "1 message, OK (0)" && view.failure == nil)
        #expect(GRPCLens().view(capture([], text, trailers: nil)).failure?.contains("broken off") == true)
        #expect(messages(body, type: "application/grpc-web").isEmpty)
    }

    @Test("Messages within messages are listed as far as there is room, and what is left is told in bytes")
    func nested() throws {
        /// A field with a length.
        func field(_ content: [UInt8]) -> [UInt8] {
            [0x0A, UInt8(content.count & 0x7F) | 0x80, UInt8(content.count >> 7 & 0x7F) | 0x80]
                + [UInt8(content.count >> 14)] + content
        }
        func count(_ nodes: [LensNode]) -> Int { nodes.reduce(0) { $0 + 1 + count($1.children) } }
        var bytes: [UInt8] = [8, 1]
        // 100 times 100 times 4 fields, in four levels.
        for times in [4, 100, 100] { bytes = Array(repeatElement(field(bytes), count: times).joined()) }
        let nodes = try #require(ProtobufFields.nodes(bytes))
        #expect(count(nodes) < 2 * ProtobufFields.nodeLimit)
        #expect(nodes.last?.label.text.hasSuffix("more bytes") == true)
        // What is no message after all takes no room: all of the fields are told.
        let odd = Array(
            repeatElement(field(Array(repeatElement([8, 1], count: 190).joined()) + [7]), count: 150).joined()
        )
        #expect(ProtobufFields.nodes(odd)?.count == 150)
    }

    /// What is shown of the messages in a request's body.
    private func messages(_ body: [UInt8], type: String = "application/grpc") -> [LensNode] {
        let view = GRPCLens().view(capture(body, [], trailers: nil, type: type))
        let section = view.sections.first { $0.title == "Request messages, by field number" }
        guard case .tree(let nodes)? = section?.content else { return [] }
        return nodes
    }

    private func told(_ nodes: [LensNode]) -> [String] { nodes.map { $0.detail?.text ?? $0.label.text } }

    @Test("Fields of a message are read without its schema: numbers, wire types, values")
    func fields() throws {
        let nodes = try #require(messages(Self.frame(Self.message)).first).children
        #expect(nodes.map(\.label.text) == ["1", "2", "3", "4", "5", "6"])
        #expect(
            nodes.map { $0.detail?.text } == [
                "text \"hall\"", "varint 150", "message, 2 bytes", "32 bits 1069547520, as float 1.5",
                "64 bits 4609434218613702656, as double 1.5", "varint 18446744073709551615, as signed -1",
            ]
        )
        #expect(nodes[2].children.map { $0.detail?.text } == ["varint 1"])
    }

    @Test(
        "What is no message is said to be none",
        arguments: [
            [0x0A, 5, 0x41], [0x00], [0x0B], [0x80], [0x0D, 1], [0x09, 1, 2], Array(repeating: 0xFF, count: 12),
        ] as [[UInt8]]
    )
    func malformed(bytes: [UInt8]) {
        #expect(told(messages(Self.frame(bytes))) == ["\(bytes.count) bytes, no fields that can be read"])
    }

    @Test("Messages are taken apart by their lengths; one cut short and bytes too few for a length are told")
    func frames() {
        #expect(
            told(messages(Self.frame([8, 1]) + [0, 0, 0, 0, 9, 1]))
                == ["2 bytes", "9 bytes, 1 of them there, no fields that can be read"]
        )
        #expect(told(messages([0, 0])) == ["2 bytes that are no message"])
        #expect(told(messages([0, 0xFF, 0xFF, 0xFF, 0xFF])) == ["4294967295 bytes, 0 of them there"])
        // AAAAAAIIAQ== is a message of 2 bytes.
        let text = messages(Array("AAAAAAIIAQ==AAAAAAA=".utf8), type: "application/grpc-web-text")
        #expect(told(text) == ["2 bytes", "0 bytes"] && text.first.map { told($0.children) } == ["varint 1"])
        #expect(told(messages(Self.frame([1], flags: 1))) == ["1 bytes, compressed, no fields that can be read"])
    }

    @Test("Of many messages those are held that are shown, and the rest is counted")
    func many() throws {
        let zeros = [UInt8](repeating: 0, count: 5 * 100_000)
        let view = GRPCLens().view(capture(Self.frame([]), zeros + Self.frame([8, 1]), trailers: "grpc-status: 0\r\n"))
        #expect(view.response == "100001 messages, OK (0)")
        guard case .tree(let nodes)? = view.sections.last?.content else { throw NoTree() }
        #expect(nodes.count == 21 && nodes.last?.label.text == "… 99981 more")
        let frames = GRPCFrames(zeros, type: nil)
        #expect(frames.frames.count == GRPCFrames.heldLimit && frames.count == 100_000)
        // Of gRPC-Web the last frame tells the status, however many come before it.
        let web = zeros + Self.frame(Array("grpc-status: 13\r\n".utf8), flags: 0x80)
        let answer = capture([], web, trailers: nil, answerType: "application/grpc-web")
        #expect(GRPCLens().view(answer).response == "100000 messages, INTERNAL (13)")
    }

    private struct NoTree: Error {}

    @Test("A call that is still open is not broken off, and an answer that is no gRPC has no messages")
    func others() {
        var open = capture(Self.frame([]), Self.frame([8, 1]), trailers: nil).exchange
        open.outcome = .pending
        let view = GRPCLens().view(Capture(exchange: open, response: CapturedBody(bytes: Self.frame([8, 1]))))
        #expect(view.response == "1 message, no status" && view.failure == nil)
        let page = Array("<html><h1>502 Bad Gateway</h1></html>".utf8)
        for (code, failure) in [(502, nil), (200, "The answer says 200, but it is none of gRPC.")] {
            let refused = LensSample.capture(
                "POST",
                "/campus.v1.Facilities/List",
                requestFields: "Content-Type: application/grpc\r\n",
                request: Self.frame([]),
                code: code,
                fields: "Content-Type: text/html\r\n",
                response: page
            )
            let view = GRPCLens().view(refused)
            #expect(view.response == "\(code), text/html: no answer of gRPC" && view.failure == failure)
            #expect(view.sections.map(\.title) == ["Call", "Request messages, by field number"])
        }
    }
}
