import Foundation
import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

@Suite("Compressed WebSocket messages", .timeLimit(.minutes(15)))
struct WebSocketCompressionTests {
    /// What zlib, driven by Python, made of some messages: frames without a mask.
    private struct Made: Codable {
        let frames: String
        let messages: [String]
    }

    /// Python's zlib compresses messages as RFC 7692 §7.2.1 says; the first is sent plain, the third in two fragments.
    private static func made(keepsContext: Bool, windowBits: Int, final: Bool = false) async throws -> Made {
        let program = """
            import base64, json, sys, zlib
            keeps, bits, final = sys.argv[1] == "yes", int(sys.argv[2]), sys.argv[3] == "yes"
            texts = ["plain"] + ["message %d of a list of messages " % n * (n * n + 1) for n in range(9)] + ["", "x"]
            def frame(first, payload):
                if len(payload) < 126: head = bytes([first, len(payload)])
                elif len(payload) < 65536: head = bytes([first, 126]) + len(payload).to_bytes(2, "big")
                else: head = bytes([first, 127]) + len(payload).to_bytes(8, "big")
                return head + payload
            out = frame(0x81, texts[0].encode())
            coder = None
            for number, text in enumerate(texts[1:]):
                if coder is None or not keeps or final:
                    coder = zlib.compressobj(wbits=-bits)
                data = coder.compress(text.encode())
                if final:
                    data += coder.flush(zlib.Z_FINISH) + b"\\0"
                else:
                    data += coder.flush(zlib.Z_SYNC_FLUSH)
                    assert data.endswith(b"\\0\\0\\xff\\xff")
                    data = data[:-4] or b"\\0"
                if number == 1:
                    out += frame(0x41, data[:3]) + frame(0x89, b"ping") + frame(0x80, data[3:])
                else:
                    out += frame(0xC1, data)
            print(json.dumps({"frames": base64.b64encode(out).decode(), "messages": texts}))
            """
        let result = try await CommandLineTool.run(
            "python3",
            ["-c", program, keepsContext ? "yes" : "no", "\(windowBits)", final ? "yes" : "no"]
        )
        try #require(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode(Made.self, from: Data(result.outputBytes))
    }

    @Test(
        "What zlib compressed comes out as it was, with and without context, in every window",
        arguments: [(true, 15), (true, 9), (false, 15), (false, 10)]
    )
    func decompresses(keepsContext: Bool, windowBits: Int) async throws {
        let made = try await Self.made(keepsContext: keepsContext, windowBits: windowBits)
        let frames = Array(try #require(Data(base64Encoded: made.frames)))
        let field = "permessage-deflate; server_max_window_bits=\(windowBits)"
        for step in [1, 13, Int.max] {
            var reader = WebSocketMessageReader(
                side: .response,
                compression: WebSocketCompression(field + (keepsContext ? "" : "; server_no_context_takeover")),
                limits: MessageLimits()
            )
            let messages = Frames.read(frames, with: &reader, step: step, isEnded: true)
            #expect(messages.filter { $0.label == "text" }.map(\.text) == made.messages)
            #expect(messages.filter(\.isCompressed).count == made.messages.count - 1)
            let long = try #require(messages.last { $0.size > 1_000 })
            #expect(long.wireBytes < long.size / 4 && !long.isTruncated)
            #expect(reader.warnings.isEmpty)
        }
    }

    @Test("A message that ends in a final block is read, and so are those behind it")
    func finalBlocks() async throws {
        let made = try await Self.made(keepsContext: true, windowBits: 15, final: true)
        let frames = Array(try #require(Data(base64Encoded: made.frames)))
        var reader = WebSocketMessageReader(
            side: .response,
            compression: WebSocketCompression("permessage-deflate"),
            limits: MessageLimits()
        )
        let messages = Frames.read(frames, with: &reader, isEnded: true)
        #expect(messages.filter { $0.label == "text" }.map(\.text) == made.messages)
    }

    @Test("A bomb stops the decoding of its direction and says so; plain messages are still read")
    func bombs() async throws {
        let program = """
            import base64, zlib
            coder = zlib.compressobj(wbits=-15)
            data = coder.compress(bytes(50_000_000)) + coder.flush(zlib.Z_SYNC_FLUSH)
            print(base64.b64encode(data[:-4]).decode())
            """
        let result = try await CommandLineTool.run("python3", ["-c", program])
        let bomb = Array(
            try #require(Data(base64Encoded: result.output.trimmingCharacters(in: .whitespacesAndNewlines)))
        )
        var reader = WebSocketMessageReader(
            side: .response,
            compression: WebSocketCompression("permessage-deflate"),
            limits: MessageLimits(keptBytes: 1_000, decodedBytes: 1 << 20)
        )
        let messages = Frames.read(
            Frames.frame(2, bomb, reserved: 0x40) + Frames.frame(2, bomb, reserved: 0x40)
                + Frames.frame(1, Array("plain".utf8)),
            with: &reader,
            step: 4_096
        )
        #expect(messages.count == 3)
        #expect(messages[0].size <= 1 << 20 + 64 << 10 && messages[0].problem?.contains("decompresses to more") == true)
        #expect(messages[1].size == bomb.count && messages[1].problem?.contains("as sent") == true)
        #expect(messages[2].text == "plain" && messages[2].problem == nil)
        #expect(reader.warnings.count == 1)
    }

    @Test(
        "What comes in one turn of a loop is decompressed up to a bound, and in as many turns as it takes whole",
        arguments: [true, false]
    )
    func burst(isAtOnce: Bool) async throws {
        let program = """
            import base64, zlib
            coder = zlib.compressobj(wbits=-15)
            data = coder.compress(bytes(12 << 20)) + coder.flush(zlib.Z_SYNC_FLUSH)
            print(base64.b64encode(data[:-4]).decode())
            """
        let result = try await CommandLineTool.run("python3", ["-c", program])
        let long = Array(
            try #require(Data(base64Encoded: result.output.trimmingCharacters(in: .whitespacesAndNewlines)))
        )
        let loop = LoopAllowance()
        var reader = WebSocketMessageReader(
            side: .response,
            compression: WebSocketCompression("permessage-deflate"),
            limits: MessageLimits(keptBytes: 10),
            allowance: DecompressionAllowance(loop)
        )
        let frame = Frames.frame(2, long, reserved: 0x40)
        var messages: [StreamMessage] = []
        for start in stride(from: 0, to: frame.count, by: 2_048) {
            let piece = frame[start..<min(start + 2_048, frame.count)]
            reader.read(ByteBuffer(bytes: piece), time: 7) { messages.append($0) }
            if !isAtOnce { loop.endTurn() }
        }
        let size = try #require(messages.first).size
        #expect(isAtOnce ? size <= Int64(LoopAllowance.burstBytes + 64 << 10) : size == 12 << 20)
        #expect((messages.first?.problem != nil) == isAtOnce)
    }

    @Test(
        "The extensions of a 101 are read",
        arguments: [
            ("permessage-deflate", true, true, true, nil),
            ("permessage-deflate; server_max_window_bits=10; client_no_context_takeover", true, false, true, nil),
            ("Permessage-Deflate;Server_No_Context_Takeover ; client_max_window_bits=\"12\"", true, true, false, nil),
            ("x-webkit-deflate-frame", false, true, true, "x-webkit-deflate-frame"),
            ("permessage-deflate, bbf-usp-protocol", true, true, true, "bbf-usp-protocol"),
            ("", false, true, true, nil), (",;,", false, true, true, nil),
        ] as [(String, Bool, Bool, Bool, String?)]
    )
    func extensions(field: String, isAgreed: Bool, client: Bool, upstream: Bool, unknown: String?) {
        let compression = WebSocketCompression(field)
        #expect(compression.isAgreed == isAgreed && compression.unknown == unknown)
        #expect(compression.keepsContext(.request) == client && compression.keepsContext(.response) == upstream)
    }

    @Test("Under an extension that is not known, payloads are recorded as sent")
    func unknownExtension() {
        var reader = WebSocketMessageReader(
            side: .response,
            compression: WebSocketCompression("x-odd"),
            limits: MessageLimits()
        )
        let messages = Frames.read(Frames.frame(2, [1, 2, 3], reserved: 0x40), with: &reader)
        #expect(messages.map(\.bytes) == [[1, 2, 3]] && messages[0].problem?.contains("x-odd") == true)
    }
}
