import Foundation
import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct ContentCodingTests {
    private static let limit = 1 << 20

    private static func coded(_ coding: String, _ bytes: [UInt8] = Coded.text) throws -> [UInt8] {
        switch coding {
        case "br": try Coded.brotli(bytes)
        case "zstd": try Coded.zstd(bytes)
        case "x-gzip": try Coded.zlib("gzip", bytes)
        default: try Coded.zlib(coding, bytes)
        }
    }

    @Test("A body of each coding decodes to what was coded", arguments: ["gzip", "x-gzip", "br", "zstd"])
    func decodes(_ coding: String) throws {
        let body = try Self.coded(coding)
        let decoded = ContentCoding.decode(body, names: [coding], limitBytes: Self.limit)
        #expect(decoded == DecodedBody(bytes: Coded.text, problem: nil))
    }

    @Test("deflate is read with its zlib wrapper and without", arguments: ["zlib", "raw"])
    func decodesDeflate(_ form: String) throws {
        let body = try Self.coded(form)
        #expect(
            ContentCoding.decode(body, names: ["deflate"], limitBytes: Self.limit)
                == DecodedBody(bytes: Coded.text, problem: nil)
        )
    }

    @Test("Pieces of any size decode alike", arguments: ["gzip", "zlib", "raw", "br", "zstd"], [1, 7, 4096])
    func decodesPieces(_ form: String, _ size: Int) throws {
        let body = try Self.coded(form)
        let decoder = ContentDecoder(
            names: [["zlib", "raw"].contains(form) ? "deflate" : form],
            limitBytes: Self.limit
        )
        var decoded: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: size) {
            decoder.write(Array(body[start..<min(start + size, body.count)])) { decoded.append(contentsOf: $0) }
        }
        decoder.finish { decoded.append(contentsOf: $0) }
        #expect(decoded == Coded.text)
        #expect(decoder.problem == nil)
        #expect(decoder.length == Coded.text.count)
    }

    @Test("Stacked codings are undone last first")
    func decodesStack() throws {
        let body = try Coded.zstd(try Coded.zlib("gzip", try Coded.brotli(Coded.text)))
        let fields = ["br, gzip", "zstd"]
        #expect(ContentCoding.names(fields) == ["br", "gzip", "zstd"])
        let decoded = ContentCoding.decode(body, names: ContentCoding.names(fields), limitBytes: Self.limit)
        #expect(decoded == DecodedBody(bytes: Coded.text, problem: nil))
        let wrongOrder = ContentCoding.decode(body, names: ["zstd", "gzip", "br"], limitBytes: Self.limit)
        #expect(wrongOrder.problem != nil)
    }

    @Test("Several gzip members are one body")
    func decodesMembers() throws {
        let member = try Coded.zlib("gzip", Coded.text)
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
    func decodesCutShort(_ form: String) throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) }
        let body = try Self.coded(form, bytes)
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
    func decodesDamaged(_ form: String) throws {
        var body = try Self.coded(form)
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
    func stopsAtLimit(_ coding: String) throws {
        let bomb = try Self.coded(coding, [UInt8](repeating: 0x41, count: 10_000_000))
        let decoded = ContentCoding.decode(bomb, names: [coding], limitBytes: 100_001)
        #expect(decoded.bytes.count == 100_001)
        #expect(decoded.problem?.contains("more than 100001 bytes") == true)
    }

    @Test("A body of exactly the limit is whole")
    func acceptsLimit() throws {
        let body = try Coded.zlib("gzip", Coded.text)
        let decoded = ContentCoding.decode(body, names: ["gzip"], limitBytes: Coded.text.count)
        #expect(decoded == DecodedBody(bytes: Coded.text, problem: nil))
    }

    @Test("An unknown coding leaves the bytes as they are, and is named")
    func keepsUnknown() throws {
        let decoded = ContentCoding.decode([1, 2, 3], names: ["rot13"], limitBytes: Self.limit)
        #expect(decoded.bytes == [1, 2, 3])
        #expect(decoded.problem?.contains("rot13") == true)
        let body = try Coded.zlib("gzip", [1, 2, 3])
        let outer = ContentCoding.decode(body, names: ["rot13", "gzip"], limitBytes: Self.limit)
        #expect(outer.bytes == [1, 2, 3])
        #expect(outer.problem?.contains("rot13") == true)
    }

    @Test("Bytes after the end of a stream are named")
    func noticesRest() throws {
        let body = try Coded.zlib("zlib", Coded.text)
        let decoded = ContentCoding.decode(body + [1, 2, 3], names: ["deflate"], limitBytes: Self.limit)
        #expect(decoded.bytes == Coded.text)
        #expect(decoded.problem?.contains("follow the end") == true)
    }

    @Test("A zstd window beyond what HTTP allows is refused")
    func refusesWindow() throws {
        let wide = try Coded.zstd([UInt8](repeating: 7, count: 32 << 20), windowLog: 25)
        #expect(ContentCoding.decode(wide, names: ["zstd"], limitBytes: 64 << 20).problem?.contains("zstd") == true)
    }

    @Test("What is wrong is said and what there is is shown, in pieces of any size")
    func showsFaulty() async throws {
        let bodies = try await FaultyBody.all()
        for pieceBytes in [1, 999, 1 << 30] {
            for body in bodies where pieceBytes > 1 || body.bytes.count < 1_000 { expectShown(body, pieceBytes) }
        }
    }

    private func expectShown(_ body: FaultyBody, _ pieceBytes: Int) {
        let decoder = ContentDecoder(names: ContentCoding.names([body.coding]), limitBytes: 16 << 20)
        var decoded: [UInt8] = []
        for start in stride(from: 0, to: body.bytes.count, by: pieceBytes) {
            decoder.write(Array(body.bytes[start...].prefix(pieceBytes))) { decoded.append(contentsOf: $0) }
        }
        decoder.finish { decoded.append(contentsOf: $0) }
        #expect(decoded == body.shown, "\(body) by \(pieceBytes)")
        #expect(decoder.problem?.contains(body.words) == true, "\(body): \(decoder.problem ?? "no problem")")
        #expect(decoder.length == body.shown.count, "\(body) by \(pieceBytes)")
    }

    @Test("Bytes that are cut before anything decodes are shown as sent", arguments: ["gzip", "zlib", "br", "zstd"])
    func showsTooShort(_ form: String) throws {
        let whole = try Self.coded(form)
        let body = Array(whole.prefix(form == "zlib" ? 1 : 3))
        let name = form == "zlib" ? "deflate" : form
        let decoded = ContentCoding.decode(body, names: [name], limitBytes: Self.limit)
        #expect(decoded.bytes == body)
        #expect(decoded.problem?.contains("ends early") == true)
        // What the store cut is not the sender's fault.
        let decoder = ContentDecoder(names: [name], limitBytes: Self.limit)
        decoder.write(Array(whole.dropLast(3))) { _ in }
        decoder.finish(isWhole: false) { _ in }
        #expect(decoder.problem == nil && decoder.length > 0)
    }

    @Test("Beyond the limit both what is unknown and the limit are said")
    func saysBoth() {
        let decoded = ContentCoding.decode(Array(repeating: 7, count: 100), names: ["rot13"], limitBytes: 10)
        #expect(decoded.bytes.count == 10)
        #expect(decoded.problem?.contains("rot13") == true && decoded.problem?.contains("10 bytes") == true)
    }

    @Test("Bombs, nested ones too, cost no memory but the limit's")
    func defusesBombs() async throws {
        let place = try TemporaryDirectory()
        // More than each may cost.
        let once = try Coded.gzipZeros(megabytes: 64)
        let twice = try Coded.zlib("gzip", once)
        let bombs: [(names: [String], bytes: [UInt8])] = [
            (["gzip"], once), (["gzip", "gzip"], twice),
            (["gzip", "gzip", "gzip"], try Coded.zlib("gzip", twice)),
            (["br"], try Coded.brotliZeros(times: 1_024)),
            (["zstd", "br"], try Coded.brotli(try Coded.zstd([UInt8](repeating: 0, count: 64 << 20)))),
        ]
        for (number, bomb) in bombs.enumerated() {
            #expect(bomb.bytes.count < 1 << 20)
            let file = place.file("bomb-\(number)")
            try Data(bomb.bytes).write(to: URL(filePath: file))
            // In a process of its own, whose memory is no other test's.
            await #expect(processExitsWith: .success) { [names = bomb.names as [String], file = file as String] in
                let limit = 1 << 20
                let bytes = Array(try Data(contentsOf: URL(filePath: file)))
                let before = try await ResidentMemory.bytes()
                let decoded = ContentCoding.decode(bytes, names: names, limitBytes: limit)
                let after = try await ResidentMemory.bytes()
                #expect(decoded.bytes.count == limit && decoded.bytes.allSatisfy { $0 == 0 })
                #expect(decoded.problem?.contains("more than \(limit) bytes") == true)
                #expect(after - before < 48 << 20, "\(names) took \((after - before) >> 20) MB")
            }
        }
    }

    @Test("Whoever decodes is asked of what each stage gives, those among themselves too, and ends it")
    func asksBeforeGiving() throws {
        let whole = try Coded.zlib("gzip", try Coded.gzipZeros(megabytes: 16))
        var made = 0
        let decoder = ContentDecoder(names: ["gzip", "gzip"], limitBytes: .max) {
            made += $0
            return made <= 1 << 20
        }
        decoder.write(whole) { _ in }
        #expect(decoder.length < 1 << 20 && made <= 1 << 20 + 64 << 10 && decoder.isStopped && decoder.isCut)
        #expect(decoder.problem?.contains("far more than came") == true)
        // What is between two stages is not given to anyone, and asked of all the same.
        var among = 0
        let inner = ContentDecoder(names: ["gzip", "gzip"], limitBytes: .max) {
            among += $0
            return true
        }
        inner.write(whole) { _ in }
        #expect(inner.length == 16 << 20 && among > 16 << 20)
        let plain = try Coded.zlib("gzip", [UInt8](repeating: 0, count: 4 << 20))
        let stopped = ContentDecoder(names: ["gzip"], limitBytes: .max)
        stopped.write(plain) { _ in stopped.stop("Enough.") }
        #expect(stopped.length <= 64 << 10 && stopped.problem == "Enough.")
    }

    @Test(
        "A decoder tells the memory that it holds, which grows with what it decodes",
        arguments: ["gzip", "br", "zstd"]
    )
    func tellsMemory(_ coding: String) throws {
        func held(_ bytes: [UInt8]) throws -> Int {
            let decoder = ContentDecoder(names: [coding], limitBytes: .max)
            decoder.write(Array(try Self.coded(coding, bytes).dropLast())) { _ in }
            return decoder.heldBytes
        }
        let short = try held(Array("a short text".utf8))
        let long = try held((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })
        #expect(short < 512 << 10 && long >= 32 << 10 && (coding == "gzip" || long > 256 << 10), "\(short), \(long)")
        #expect(coding != "br" || short < long)
    }

    @Test("A message with too many codings is not decoded")
    func refusesTower() {
        let decoded = ContentCoding.decode([1], names: Array(repeating: "gzip", count: 5), limitBytes: Self.limit)
        #expect(decoded.bytes == [1])
        #expect(decoded.problem != nil)
    }

    @Test("An empty body is empty in every coding", arguments: ["gzip", "deflate", "br", "zstd"])
    func acceptsEmpty(_ name: String) {
        #expect(ContentCoding.decode([], names: [name], limitBytes: 1) == DecodedBody(bytes: [], problem: nil))
    }
}
