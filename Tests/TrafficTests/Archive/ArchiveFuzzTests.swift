import Archive
import Foundation
import NIOCore
import Support
import Testing
import Traffic

/// What the reader of archives makes of thousands of files that are nearly right: never a trap, and the same however they are cut.
@Suite("Nothing in an archive traps", .timeLimit(.minutes(15)))
struct ArchiveFuzzTests {
    private static let digest: @Sendable ([UInt8]) -> [UInt8] = { bytes in
        Array(repeating: UInt8(truncatingIfNeeded: bytes.count), count: 32)
    }

    /// An archive of ours with what an entry can have.
    private static func archive(_ kind: Int) throws -> [UInt8] {
        var coded = SampleExchange(
            1,
            head: "POST /a?x=1 HTTP/1.1\nHost: api.example.test\nContent-Type: text/plain; charset=iso-8859-1\n\n",
            requestBody: [0x63, 0xE9],
            response: "HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Encoding: x-odd\nSet-Cookie: a=b\n\n",
            responseBody: Array("{\"a\": \"\\u00e9\"}".utf8)
        )
        coded.exchange.interim = [ByteBuffer(string: "HTTP/1.1 103 Early Hints\r\n\r\n")]
        coded.exchange.request.trailers = ByteBuffer(string: "X: y\r\n")
        coded.exchange.failure = ExchangeFailure(side: .client, phase: .send, cause: .reset, message: "No.")
        coded.exchange.messages = MessageCounts(request: 1, response: 1)
        let messages = [
            StreamMessage(
                side: .request,
                time: 5,
                kind: .webSocket,
                opcode: 1,
                wireBytes: 3,
                size: 3,
                payload: ByteBuffer(string: "abc")
            ),
            StreamMessage(
                side: .response,
                time: 6,
                kind: .webSocket,
                opcode: 8,
                wireBytes: 2,
                size: 2,
                payload: ByteBuffer(bytes: [3, 232])
            ),
        ]
        var bytes: [UInt8] = []
        var rest = [coded.record, coded.record][...]
        let page: MessageSource = { _, after in
            after == 0
                ? messages.enumerated().map {
                    var m = $1; m.number = Int64($0) + 1; return m
                } : []
        }
        if kind == 0 {
            try HAR.write(
                creatorVersion: "1",
                scope: .all,
                source: coded.source,
                messages: page,
                next: { rest.popFirst() }
            ) { bytes += $0 }
        } else {
            var json = JSONWriter()
            for record in rest {
                try ExchangeJSON(record, remedyWords: nil).write(to: &json, source: coded.source, messages: page) {
                    bytes += $0.take()
                }
                json.newline()
            }
            bytes += json.take()
        }
        return bytes
    }

    private static func read(_ bytes: [UInt8], step: Int) -> (exchanges: [ImportedExchange], report: ImportReport) {
        var reader = ArchiveReader(digest: digest)
        var found: [ImportedExchange] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            try? reader.write(Array(rest.prefix(step))) { found.append($0) }
            rest = rest.dropFirst(step)
        }
        try? reader.finish { found.append($0) }
        return (found, reader.report)
    }

    @Test("Mutated HAR and JSON lines are read, mended or refused", arguments: 0..<2, 0..<3)
    func mutated(kind: Int, seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed + 900))
        let whole = try Self.archive(kind)
        let pieces = [
            "null", "-1", "1e999", "-1e308", "99999999999999999999", "9007199254740993", "NaN", "\"\\ud800\"",
            "\"\\u0000\"", "{", "}", "[", "]", ",",
            ":", "\"", "\\", "true", "\"base64\"", "[[[[", "{\"a\":", "-", ".", "\u{1}", "0x10",
            "{\"log\":{\"entries\":[", "{\"id\":1}", "\"_inspect\"",
        ]
        for round in 0..<400 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1..<6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let length = Int.random(in: 0..<12, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(place..<min(place + length, bytes.count))
                case 2:
                    bytes.replaceSubrange(
                        place..<min(place + length, bytes.count),
                        with: (pieces.randomElement(using: &random) ?? "").utf8
                    )
                case 3: bytes.removeLast(min(bytes.count - 1, Int.random(in: 0..<40, using: &random)))
                default:
                    // A value is put in the place of another.
                    guard let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")) else { continue }
                    let end = bytes[(colon + 1)...].firstIndex { ",}]".utf8.contains($0) } ?? bytes.count
                    bytes.replaceSubrange((colon + 1)..<end, with: (pieces.randomElement(using: &random) ?? "").utf8)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            let (found, report) = Self.read(bytes, step: 4096)
            #expect(report.read == found.count)
            #expect(report.broken != nil || report.kind != nil)
            for imported in found {
                // What was read can be written again, and read once more.
                #expect(imported.exchange.request.body.kept == Int64(imported.requestBody.readableBytes))
                _ = imported.exchange.summary.url
                let source: ArchiveSource = { _, side, offset, limit in
                    let all = side == .request ? imported.requestBody : imported.responseBody
                    return Array(all.readableBytesView.dropFirst(Int(offset)).prefix(limit))
                }
                var (rest, written) = ([ExchangeRecord(exchange: imported.exchange)][...], [UInt8]())
                try HAR.write(creatorVersion: "1", scope: .all, source: source, next: { rest.popFirst() }) {
                    written += $0
                }
                #expect(try JSONReader.value(written)["log"]?["entries"]?.elements?.count == 1)
            }
            if round % 8 == 0 {
                let again = Self.read(bytes, step: Int.random(in: 1..<90, using: &random))
                #expect(again.report == report)
                #expect(again.exchanges.map(\.exchange.summary) == found.map(\.exchange.summary))
            }
        }
    }

    @Test("Noise of JSON's own pieces is read or refused")
    func noise() {
        var random = SeededGenerator(seed: 4)
        let pieces = [
            "{\"log\":", "{\"entries\":[", "{", "}", "[", "]", ",", ":", "\"request\":{", "\"a\"", "\"\\", "\"", "1",
            "-", "null", "\n", "{\"id\":1,", "\u{1E}",
            "{\"exchanges\":[", "\"log\":{", "\"entries\":[",
        ]
        for _ in 0..<20_000 {
            let bytes = random.bytes(of: pieces, atMost: 120)
            let (found, report) = Self.read(bytes, step: Int.random(in: 1..<20, using: &random))
            #expect(report.read == found.count)
            var checker = HARChecker(repairs: true)
            do {
                try checker.write(bytes, tell: { _, _ in }, write: { _ in })
                try checker.finish(tell: { _, _ in }, write: { _ in })
            } catch {
                #expect(error is ArchiveProblem)
            }
        }
    }

    @Test("A long string is passed over without being held")
    func isBounded() throws {
        var splitter = ArchiveSplitter(entryLimitBytes: 1000)
        var found: [String] = []
        func give(_ piece: ArchiveSplitter.Piece) {
            switch piece {
            case .entry(let number, _): found.append("\(number)")
            case .oversize(let number, let length): found.append("\(number) of \(length)")
            case .longText(let number, let length): found.append("\(number) with \(length)")
            case .member: break
            }
        }
        try splitter.write(Array("{\"log\":{\"entries\":[{\"a\":\"".utf8), give)
        for _ in 0..<1000 { try splitter.write([UInt8](repeating: 0x78, count: 1000), give) }
        try splitter.write(Array("\"},{}]}}".utf8), give)
        try splitter.finish(give)
        #expect(found == ["1 of 1000008", "2"])
    }

    @Test("An entry with a long text is passed over, whatever pieces it comes in; an escape is one byte of it")
    func longTexts() throws {
        let texts = [
            String(repeating: "x", count: 100), String(repeating: "\\\"", count: 100),
            String(repeating: "x", count: 101),
            String(repeating: "\\\\", count: 101), #"b","c":{"d":["\#(String(repeating: "é", count: 60))"]},"e":""#,
        ]
        let har = #"{"log":{"entries":[\#(texts.map { #"{"a":"\#($0)"}"# }.joined(separator: ","))]}}"#
        let lines = texts.map { "{\"id\":1,\"a\":\"\($0)\"}\n" }.joined()
        for (bytes, step) in [(har, 1), (har, 7), (har, 10_000), (lines, 1), (lines, 13), (lines, 10_000)] {
            var splitter = ArchiveSplitter(textLimitBytes: 100)
            var found: [String] = []
            func give(_ piece: ArchiveSplitter.Piece) {
                switch piece {
                case .entry(let number, _): found.append("\(number)")
                case .oversize(let number, let length): found.append("\(number) of \(length)")
                case .longText(let number, let length): found.append("\(number) with \(length)")
                case .member: break
                }
            }
            var rest = Array(bytes.utf8)[...]
            while !rest.isEmpty {
                try splitter.write(Array(rest.prefix(step)), give)
                rest = rest.dropFirst(step)
            }
            try splitter.finish(give)
            #expect(found == ["1", "2", "3 with 101", "4 with 101", "5 with 120"], "in pieces of \(step)")
        }
    }
}
