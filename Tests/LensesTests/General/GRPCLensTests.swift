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

    private func capture(_ request: [UInt8], _ response: [UInt8], trailers: String?, fields: String = "") -> Capture {
        LensSample.capture(
            "POST",
            "/campus.v1.Facilities/List",
            requestFields: "Content-Type: application/grpc+proto\r\ngrpc-timeout: 5S\r\n",
            request: request,
            fields: "Content-Type: application/grpc\r\n\(fields)",
            response: response,
            trailers: trailers
        )
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
            trailers: nil
        )
        #expect(GRPCLens().view(web).response == "1 message, INTERNAL (13): x")
    }

    @Test("Fields of a message are read without its schema: numbers, wire types, values")
    func fields() throws {
        let nodes = try #require(ProtobufFields.nodes(Self.message))
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
    func malformed(bytes: [UInt8]) { #expect(ProtobufFields.nodes(bytes) == nil) }

    @Test("Messages are taken apart by their lengths; one cut short and bytes too few for a length are told")
    func frames() {
        let frames = GRPCFrames(Self.frame([1, 2]) + [0, 0, 0, 0, 9, 1], type: nil)
        #expect(
            frames.frames.map(\.length) == [2, 9] && frames.frames.map(\.bytes.count) == [2, 1] && frames.rest == 0
        )
        #expect(
            GRPCFrames([0, 0], type: nil).rest == 2
                && GRPCFrames([0, 0xFF, 0xFF, 0xFF, 0xFF], type: nil).frames.first?.length == 0xFFFF_FFFF
        )
        // AAAAAAIIAQ== is a message of 2 bytes.
        let text = GRPCFrames(Array("AAAAAAIIAQ==AAAAAAA=".utf8), type: "application/grpc-web-text")
        #expect(text.frames.map(\.length) == [2, 0] && text.frames.first?.bytes == [8, 1])
        #expect(GRPCFrames.payload(GRPCFrames.Frame(flags: 1, length: 1, bytes: [1]), encoding: nil) == nil)
    }
}
