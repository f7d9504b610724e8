import Testing
import Traffic

struct ContentCodingTests {
    private static let limit = 1 << 20

    private static func coded(_ coding: String, _ bytes: [UInt8] = Coded.text) async throws -> [UInt8] {
        switch coding {
        case "br": try Coded.brotli(bytes)
        case "zstd": try Coded.zstd(bytes)
        case "gzip", "x-gzip": try await Coded.python("gzip", bytes)
        default: try await Coded.python(coding, bytes)
        }
    }

    @Test("A body of each coding decodes to what was coded", arguments: ["gzip", "x-gzip", "br", "zstd"])
    func decodes(_ coding: String) async throws {
        let body = try await Self.coded(coding)
        let decoded = ContentCoding.decode(body, names: [coding], limitBytes: Self.limit)
        #expect(decoded == DecodedBody(bytes: Coded.text, problem: nil))
    }

    @Test("deflate is read with its zlib wrapper and without", arguments: ["zlib", "raw"])
    func decodesDeflate(_ form: String) async throws {
        let body = try await Self.coded(form)
        #expect(
            ContentCoding.decode(body, names: ["deflate"], limitBytes: Self.limit)
                == DecodedBody(bytes: Coded.text, problem: nil)
        )
    }

    @Test("Pieces of any size decode alike", arguments: ["gzip", "zlib", "raw", "br", "zstd"], [1, 2, 7, 4096])
    func decodesPieces(_ form: String, _ size: Int) async throws {
        let body = try await Self.coded(form)
        let decoder = ContentDecoder(
            names: [["zlib", "raw"].contains(form) ? "deflate" : form],
            limitBytes: Self.limit
        )
        var decoded: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: size) {
            decoder.write(Array(body[start..<min(start + size, body.count)])) { decoded.append(contentsOf: $0) }
        }
        decoder.finish()
        #expect(decoded == Coded.text)
        #expect(decoder.problem == nil)
        #expect(decoder.length == Coded.text.count)
    }

    @Test("Stacked codings are undone last first")
    func decodesStack() async throws {
        let body = try Coded.zstd(try await Coded.python("gzip", try Coded.brotli(Coded.text)))
        let fields = ["br, gzip", "zstd"]
        #expect(ContentCoding.names(fields) == ["br", "gzip", "zstd"])
        let decoded = ContentCoding.decode(body, names: ContentCoding.names(fields), limitBytes: Self.limit)
        #expect(decoded == DecodedBody(bytes: Coded.text, problem: nil))
        let wrongOrder = ContentCoding.decode(body, names: ["zstd", "gzip", "br"], limitBytes: Self.limit)
        #expect(wrongOrder.problem != nil)
    }

    @Test("Several gzip members are one body")
    func decodesMembers() async throws {
        let member = try await Coded.python("gzip", Coded.text)
        let decoded = ContentCoding.decode(member + member, names: ["gzip"], limitBytes: Self.limit)
        #expect(decoded == DecodedBody(bytes: Coded.text + Coded.text, problem: nil))
    }

    @Test("Several zstd frames are one body")
    func decodesFrames() throws {
        let frame = try Coded.zstd(Coded.text)
        #expect(
            ContentCoding.decode(frame + frame, names: ["zstd"], limitBytes: Self.limit).bytes == Coded.text
                + Coded.text
        )
    }

    @Test("A body that is cut short gives what came, and says so", arguments: ["gzip", "zlib", "raw", "br", "zstd"])
    func decodesCutShort(_ form: String) async throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) }
        let body = try await Self.coded(form, bytes)
        let name = ["zlib", "raw"].contains(form) ? "deflate" : form
        let decoded = ContentCoding.decode(
            Array(body.prefix(body.count * 3 / 4)),
            names: [name],
            limitBytes: Self.limit
        )
        #expect(!decoded.bytes.isEmpty)
        #expect(decoded.bytes.elementsEqual(bytes.prefix(decoded.bytes.count)))
        #expect(decoded.problem?.contains("ends early") == true)
    }

    @Test("A damaged body gives what came before, and says so", arguments: ["gzip", "zlib", "br", "zstd"])
    func decodesDamaged(_ form: String) async throws {
        var body = try await Self.coded(form)
        for index in body.indices.suffix(12) { body[index] ^= 0x5A }
        let decoded = ContentCoding.decode(body, names: [form == "zlib" ? "deflate" : form], limitBytes: Self.limit)
        #expect(decoded.problem != nil)
    }

    @Test("Bytes that were never coded are a problem and no crash", arguments: ["gzip", "deflate", "br", "zstd"])
    func decodesGarbage(_ name: String) {
        for seed in 0..<200 {
            let bytes = (0..<64).map { UInt8(truncatingIfNeeded: ($0 * 31 + seed * 17) ^ (seed &* $0)) }
            _ = ContentCoding.decode(bytes, names: [name], limitBytes: 1024)
        }
        let decoded = ContentCoding.decode(Array("<html>plain</html>".utf8), names: [name], limitBytes: 1024)
        #expect(decoded.problem != nil)
    }

    @Test("A body that decodes to more than the limit is cut there", arguments: ["gzip", "br", "zstd"])
    func stopsAtLimit(_ coding: String) async throws {
        let bomb = try await Self.coded(coding, [UInt8](repeating: 0x41, count: 10_000_000))
        let decoded = ContentCoding.decode(bomb, names: [coding], limitBytes: 100_001)
        #expect(decoded.bytes.count == 100_001)
        #expect(decoded.problem?.contains("more than 100001 bytes") == true)
    }

    @Test("A body of exactly the limit is whole")
    func acceptsLimit() async throws {
        let body = try await Coded.python("gzip", Coded.text)
        let decoded = ContentCoding.decode(body, names: ["gzip"], limitBytes: Coded.text.count)
        #expect(decoded == DecodedBody(bytes: Coded.text, problem: nil))
    }

    @Test("An unknown coding leaves the bytes as they are, and is named")
    func keepsUnknown() async throws {
        let decoded = ContentCoding.decode([1, 2, 3], names: ["rot13"], limitBytes: Self.limit)
        #expect(decoded.bytes == [1, 2, 3])
        #expect(decoded.problem?.contains("rot13") == true)
        let body = try await Coded.python("gzip", [1, 2, 3])
        let outer = ContentCoding.decode(body, names: ["rot13", "gzip"], limitBytes: Self.limit)
        #expect(outer.bytes == [1, 2, 3])
        #expect(outer.problem?.contains("rot13") == true)
    }

    @Test("Bytes after the end of a stream are named")
    func noticesRest() async throws {
        let body = try await Coded.python("zlib", Coded.text)
        let decoded = ContentCoding.decode(body + [1, 2, 3], names: ["deflate"], limitBytes: Self.limit)
        #expect(decoded.bytes == Coded.text)
        #expect(decoded.problem?.contains("follow the end") == true)
    }

    @Test("A zstd window beyond what HTTP allows is refused")
    func refusesWindow() throws {
        let wide = try Coded.zstd([UInt8](repeating: 7, count: 32 << 20), windowLog: 25)
        #expect(ContentCoding.decode(wide, names: ["zstd"], limitBytes: 64 << 20).problem?.contains("zstd") == true)
    }

    @Test("A message with too many codings is not decoded")
    func refusesTower() {
        let decoded = ContentCoding.decode([1], names: Array(repeating: "gzip", count: 9), limitBytes: Self.limit)
        #expect(decoded.bytes == [1])
        #expect(decoded.problem != nil)
    }

    @Test("An empty body is empty in every coding", arguments: ["gzip", "deflate", "br", "zstd"])
    func acceptsEmpty(_ name: String) {
        #expect(ContentCoding.decode([], names: [name], limitBytes: 1) == DecodedBody(bytes: [], problem: nil))
    }
}
