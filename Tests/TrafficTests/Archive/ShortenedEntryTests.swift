import Archive
import NIOCore
import Testing
import Traffic

@Suite("Entries that would be longer than an import reads", .timeLimit(.minutes(15)))
struct ShortenedEntryTests {
    private static let (entryLimit, textLimit) = (20_000, 3_000)
    private static let text = "Content-Type: text/plain; charset=utf-8"

    private struct Written {
        var file: [UInt8]
        var measure: EntryMeasure
        var found: [ImportedExchange]
        var report: ImportReport
    }

    /// Writes one exchange within these limits and reads it under the same.
    private static func written(
        _ sample: SampleExchange,
        as format: ExportFormat,
        entryLimit: Int = entryLimit,
        textLimit: Int = textLimit,
        valuesLimit: Int = ArchiveReader.valuesLimit,
        messages: MessageSource = { _, _ in [] }
    ) throws -> Written {
        let source: ArchiveSource = { sample.source($0, $1, $2, $3) }
        var measure = EntryMeasure(
            entryLimitBytes: entryLimit,
            textLimitBytes: textLimit,
            valuesLimit: valuesLimit
        )
        var file: [UInt8] = []
        if format == .har {
            var rest = [sample.record]
            measure = try HAR.write(
                creatorVersion: "1",
                scope: .ended,
                measure: measure,
                source: source,
                messages: messages,
                next: { rest.popLast() },
                to: { file += $0 }
            )
        } else {
            var json = JSONWriter()
            let exchange = ExchangeJSON(sample.record, remedyWords: nil)
            let contents = try exchange.contents(source)
            try measure.entry(&json, sample.exchange.id, contents, source: source) { json, contents in
                try exchange.write(contents, to: &json, source: source, messages: messages) { file += $0.take() }
            }
            json.newline()
            file += json.take()
        }
        var reader = ArchiveReader(
            digest: { _ in [UInt8](repeating: 1, count: 32) },
            valuesLimit: valuesLimit,
            entryLimitBytes: entryLimit,
            textLimitBytes: textLimit
        )
        var found: [ImportedExchange] = []
        try reader.write(file) { found.append($0) }
        try reader.finish { found.append($0) }
        return Written(file: file, measure: measure, found: found, report: reader.report)
    }

    private static func answered(_ field: String, _ body: [UInt8]) -> SampleExchange {
        SampleExchange(response: "HTTP/1.1 200 OK\n\(field)\n\n", responseBody: body)
    }

    private static func posted(_ request: [UInt8], _ response: [UInt8], _ field: String = text) -> SampleExchange {
        SampleExchange(
            head: "POST /a?x=1 HTTP/1.1\nHost: api.example.test\n\(field)\n\n",
            requestBody: request,
            response: "HTTP/1.1 200 OK\n\(text)\n\n",
            responseBody: response
        )
    }

    @Test(
        "A body that is too long comes back as far as there was room, with its whole length and its digest",
        arguments: [ExportFormat.har, .jsonl],
        [
            // What a string has of it: the text, base64, and five of the six bytes of an escape.
            (text, Array(String(repeating: "é€😀", count: 700).utf8), 2_999),
            (text, [UInt8](repeating: 1, count: 3_000), 600),
            (text, Array(String(repeating: "\"", count: 3_001).utf8), 3_000),
            ("Content-Type: text/plain; charset=iso-8859-1", [UInt8](repeating: 0xE9, count: 1_501), 1_500),
            ("Content-Type: image/png", [UInt8](repeating: 0xFE, count: 2_251), 2_250),
        ] as [(String, [UInt8], Int)]
    )
    func body(format: ExportFormat, body: (field: String, bytes: [UInt8], kept: Int)) throws {
        let sample = Self.answered(body.field, body.bytes)
        let result = try Self.written(sample, as: format)
        #expect(result.measure.shortened == [1] && result.measure.overlong == 0)
        #expect(result.report.leftOut == [])
        let found = try #require(result.found.first)
        let read = try #require(found.exchange.response?.body)
        #expect(read.length == Int64(body.bytes.count) && read.sha256 == sample.exchange.response?.body.sha256)
        #expect(read.isTruncated && read.keptOnWire == Int64(body.kept))
        #expect(Array(found.responseBody.readableBytesView) == Array(body.bytes.prefix(body.kept)))
        let told = "Only the first \(body.kept) of \(body.bytes.count) bytes were kept."
        #expect(String(decoding: result.file, as: UTF8.self).contains(told))
    }

    @Test(
        "A body that decodes to more than there is room for comes back decoded",
        arguments: [ExportFormat.har, .jsonl]
    )
    func coded(format: ExportFormat) throws {
        let coded = try Coded.zlib("gzip", Coded.text)
        let sample = Self.answered(Self.text + "\nContent-Encoding: gzip", coded)
        let result = try Self.written(sample, as: format)
        #expect(result.measure.shortened == [1] && result.report.leftOut == [])
        let found = try #require(result.found.first)
        let read = try #require(found.exchange.response?.body)
        let kept = Array(found.responseBody.readableBytesView)
        #expect(kept == Array(Coded.text.prefix(kept.count)) && (2_999...3_000).contains(kept.count))
        #expect(String(validating: kept, as: UTF8.self) != nil)
        #expect(read.length == Int64(coded.count) && read.sha256 == sample.exchange.response?.body.sha256)
        #expect(read.isTruncated && read.archived?.form == .text)
        #expect(read.archived?.problem == "Only the first \(kept.count) bytes of its content were exported.")
    }

    @Test(
        "Of two bodies that are too long together, each takes what the other leaves",
        arguments: [ExportFormat.har, .jsonl],
        [(4_000, 30_000), (30_000, 4_000), (30_000, 30_000)]
    )
    func bodies(format: ExportFormat, lengths: (request: Int, response: Int)) throws {
        let sample = Self.posted(
            [UInt8](repeating: 0x61, count: lengths.request),
            [UInt8](repeating: 0x62, count: lengths.response)
        )
        let result = try Self.written(sample, as: format, textLimit: 100_000)
        #expect(result.measure.shortened == [1] && result.report.leftOut == [])
        // No more is left out than has to be.
        #expect(result.file.count > Self.entryLimit - 1_500)
        let found = try #require(result.found.first?.exchange)
        let response = try #require(found.response?.body)
        #expect(found.request.body.length == Int64(lengths.request) && response.length == Int64(lengths.response))
        #expect(found.request.body.isTruncated == (lengths.request > 4_000))
        #expect(response.isTruncated == (lengths.response > 4_000))
        if lengths.request == lengths.response { #expect(found.request.body.kept == response.kept) }
    }

    @Test("What fits is written as ever; the second copy of a request goes before anything of a body does")
    func fits() throws {
        let bytes = [UInt8](repeating: 0xFE, count: 2_000)
        let sample = Self.posted(bytes, [UInt8](repeating: 1, count: 3_000), "Content-Type: image/png")
        for format in [ExportFormat.har, .jsonl] {
            let free = try Self.written(sample, as: format, entryLimit: 1 << 20, textLimit: 1 << 20)
            let near = try Self.written(sample, as: format, entryLimit: free.file.count + 1_300, textLimit: 15_000)
            #expect(near.file == free.file && near.measure.shortened == [] && near.found.count == 1)
            guard format == .har else { continue }
            #expect(String(decoding: free.file, as: UTF8.self).contains("\"_content\""))
            let once = try Self.written(sample, as: format, entryLimit: free.file.count - 500, textLimit: 15_000)
            #expect(!String(decoding: once.file, as: UTF8.self).contains("\"_content\""))
            #expect(once.measure.shortened == [] && once.measure.overlong == 0)
            let found = try #require(once.found.first)
            #expect(Array(found.requestBody.readableBytesView) == bytes && !found.exchange.request.body.isTruncated)
            #expect(found.exchange.response?.body.isTruncated == false)
        }
    }

    @Test(
        "An entry that is measured before it is written stands in the file once, whatever its bodies begin with",
        arguments: [ExportFormat.har, .jsonl]
    )
    func once(format: ExportFormat) throws {
        // A byte order mark takes bytes of the body and none of the entry; the long field fills the buffer of a HAR.
        let field = "Content-Type: text/plain; charset=utf-16\nX-Long: " + String(repeating: "v", count: 70_000)
        let bytes = [0xFF, 0xFE] + [[UInt8]](repeating: [0x61, 0], count: 90_000).joined()
        let sample = Self.answered(field, bytes)
        let free = try Self.written(sample, as: format, entryLimit: 1 << 22, textLimit: 1 << 22)
        let near = try Self.written(sample, as: format, entryLimit: 1 << 20, textLimit: 1 << 18)
        #expect(near.file == free.file && near.measure.shortened == [] && near.found.count == 1)
        let cut = try Self.written(sample, as: format, entryLimit: 1 << 20, textLimit: 80_000)
        #expect(cut.measure.shortened == [1] && cut.report.broken == nil && cut.found.count == 1)
        #expect(cut.found.first?.exchange.response?.body.keptOnWire == 160_002)
    }

    @Test("What is too long without its bodies is written whole, and counted as what does not come back")
    func head() throws {
        let field = "X-Long: " + String(repeating: "v", count: Self.entryLimit)
        let sample = Self.answered(Self.text + "\n\(field)", [UInt8](repeating: 0x61, count: 4_000))
        for format in [ExportFormat.har, .jsonl] {
            let result = try Self.written(sample, as: format, textLimit: 100_000)
            #expect(result.measure.overlong == 1 && result.measure.shortened == [] && result.found.isEmpty)
            #expect(String(decoding: result.file, as: UTF8.self).contains(String(repeating: "a", count: 4_000)))
        }
    }

    // MARK: messages

    /// A WebSocket with messages of these texts, and its pages.
    private static func stream(_ texts: [String]) -> (SampleExchange, MessageSource) {
        var sample = SampleExchange(scheme: .wss, response: "HTTP/1.1 101 Switching Protocols\n\n", code: 101)
        sample.exchange.version = .webSocket
        let source = messages(texts, .webSocket, opcode: 1, in: &sample)
        return (sample, source)
    }

    /// Gives an exchange messages of these texts; returns their pages.
    private static func messages(
        _ texts: [String],
        _ kind: StreamMessage.Kind,
        opcode: UInt8 = 0,
        in sample: inout SampleExchange
    ) -> MessageSource {
        let messages = texts.enumerated().map { index, text in
            var message = StreamMessage(
                side: .response,
                time: 1_763_647_323_456_789,
                kind: kind,
                opcode: opcode,
                wireBytes: Int64(text.utf8.count),
                size: Int64(text.utf8.count),
                payload: ByteBuffer(string: text)
            )
            message.number = Int64(index) + 1
            return message
        }
        sample.exchange.messages = MessageCounts(request: 0, response: Int64(texts.count))
        return { _, after in Array(messages.dropFirst(Int(after)).prefix(7)) }
    }

    @Test(
        "Messages come back as far as there was room for them, and the rest is counted",
        arguments: [ExportFormat.har, .jsonl],
        [(entryLimit, ArchiveReader.valuesLimit), (1 << 20, 700)]
    )
    func messages(format: ExportFormat, limits: (entry: Int, values: Int)) throws {
        let texts = (0..<300).map { "\($0)" + String(repeating: "\u{1}", count: 20) }
        let (sample, source) = Self.stream(texts)
        let result = try Self.written(
            sample,
            as: format,
            entryLimit: limits.entry,
            valuesLimit: limits.values,
            messages: source
        )
        #expect(result.measure.shortened == [1] && result.measure.overlong == 0 && result.report.leftOut == [])
        let found = try #require(result.found.first)
        let read = found.messages.map { String(buffer: $0.payload) }
        #expect(read == Array(texts.prefix(read.count)) && read.count > 20 && read.count < 300)
        #expect(found.exchange.warnings == ["Messages that an export left out: \(300 - read.count)."])
        if limits.entry == Self.entryLimit { #expect(result.file.count > Self.entryLimit - 2_000) }
        // Where all have room, nothing is said of it.
        let whole = try Self.written(sample, as: format, entryLimit: 1 << 20, messages: source)
        #expect(whole.found.first?.messages.count == 300 && whole.found.first?.exchange.warnings == [])
        #expect(whole.measure.shortened == [])
    }

    @Test("Messages behind two bodies that fill an entry are left out", arguments: [ExportFormat.har, .jsonl])
    func behindBodies(format: ExportFormat) throws {
        var sample = Self.posted(
            [UInt8](repeating: 0x61, count: 30_000),
            [UInt8](repeating: 0x62, count: 30_000)
        )
        let texts = [String](repeating: String(repeating: "c", count: 100), count: 50)
        let source = Self.messages(texts, .event, in: &sample)
        let result = try Self.written(sample, as: format, textLimit: 100_000, messages: source)
        #expect(result.measure.shortened == [1] && result.measure.overlong == 0 && result.report.leftOut == [])
        let found = try #require(result.found.first)
        #expect(found.messages.isEmpty)
        #expect(found.exchange.warnings == ["Messages that an export left out: 50."])
        #expect(found.exchange.request.body.isTruncated && found.exchange.response?.body.isTruncated == true)
    }

    @Test(
        "A message that is too long leaves room for the others",
        arguments: [ExportFormat.har, .jsonl],
        [textLimit + 1, entryLimit]
    )
    func longMessage(format: ExportFormat, length: Int) throws {
        let (sample, source) = Self.stream(["a", String(repeating: "b", count: length), "c"])
        let result = try Self.written(sample, as: format, messages: source)
        #expect(result.measure.shortened == [1] && result.report.leftOut == [])
        let found = try #require(result.found.first)
        #expect(found.messages.map { String(buffer: $0.payload) } == ["a", "c"])
        #expect(found.exchange.warnings == ["Messages that an export left out: 1."])
    }
}
