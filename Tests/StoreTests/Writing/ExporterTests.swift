import Archive
import NIOCore
import Store
import Testing
import Traffic

@Suite("What an export says of what it wrote", .timeLimit(.minutes(15)))
struct ExporterTests {
    private static let (entryLimit, textLimit) = (20_000, 3_000)

    @Test(
        "Exchanges that are longer than an import reads are cut to it; those whose heads are too long are counted",
        arguments: [ExportFormat.har, .json, .jsonl]
    )
    func overlong(format: ExportFormat) async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        let short = ["short", String(repeating: "x", count: 3_000), String(repeating: "\"", count: 3_000)]
        let long = [String(repeating: "x", count: 3_001), String(repeating: "\n\\", count: 1_600)]
        let bodies =
            (short + long).map { (text: $0, field: "a") } + [(text: "", field: String(repeating: "v", count: 20_000))]
        for (index, body) in bodies.enumerated() {
            let bytes = Array(body.text.utf8)
            var exchange = Exchange.plain().with(responseBody: bytes)
            exchange.response?.head = ByteBuffer(
                string: "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nX-Field: \(body.field)\r\n\r\n"
            )
            let response = ByteBuffer(bytes: bytes)
            await store.record([.ended(UInt64(index + 1), exchange, request: ByteBuffer(), response: response)])
        }
        let exporter = Exporter(
            store: store,
            scope: .ended,
            creatorVersion: "1",
            redactor: nil,
            remedyWords: nil,
            measure: EntryMeasure(entryLimitBytes: Self.entryLimit, textLimitBytes: Self.textLimit)
        )
        var written: [UInt8] = []
        let shortfall = try exporter.write(store.ids(Filter()), as: format) { written += $0 }
        #expect(shortfall == Exporter.Shortfall(shortened: [4, 5], overlong: 1))
        var splitter = ArchiveSplitter(entryLimitBytes: Self.entryLimit, textLimitBytes: Self.textLimit)
        var (read, leftOut) = (0, 0)
        func give(_ piece: ArchiveSplitter.Piece) {
            switch piece {
            case .entry: read += 1
            case .oversize, .longText: leftOut += 1
            case .member: break
            }
        }
        try splitter.write(written, give)
        try splitter.finish(give)
        #expect(read == 5 && leftOut == 1)
        try store.close()
        withExtendedLifetime(home) {}
    }

    @Test(
        "A body that an export cut is in the next store what a body past its limit is",
        arguments: [ExportFormat.har, .json, .jsonl]
    )
    func cut(format: ExportFormat) async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        let bytes = Array(String(repeating: "é€", count: 1_000).utf8)
        var exchange = Exchange.plain().with(responseBody: bytes)
        exchange.response?.head = ByteBuffer(
            string: "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
        )
        await store.record([.ended(1, exchange, request: ByteBuffer(), response: ByteBuffer(bytes: bytes))])
        let exporter = Exporter(
            store: store,
            scope: .ended,
            creatorVersion: "1",
            redactor: nil,
            remedyWords: nil,
            measure: EntryMeasure(entryLimitBytes: Self.entryLimit, textLimitBytes: Self.textLimit)
        )
        var written: [UInt8] = []
        let shortfall = try exporter.write(store.ids(Filter()), as: format) { written += $0 }
        #expect(shortfall == Exporter.Shortfall(shortened: [1]))
        let otherHome = try TemporaryStore()
        let other = try otherHome.open()
        let filing = try ArchiveImport(into: other, name: "cut")
        try filing.write(written)
        let report = try filing.finish().report
        #expect(report.read == 1 && report.leftOut == [])
        let body = try #require(try other.exchange(1)?.response?.body)
        #expect(body.length == 5_000 && body.kept == 3_000 && body.isTruncated && body.archived == nil)
        #expect(body.sha256 == exchange.response?.body.sha256)
        #expect(try other.wholeBody(1, .response) == Array(bytes.prefix(3_000)))
        try store.close()
        try other.close()
        withExtendedLifetime((home, otherHome)) {}
    }

    @Test(
        "A body that is not that of the wire is cut by the limit of the next store, whose record says so",
        arguments: [ExportFormat.har, .jsonl],
        [(limit: 9_999, problem: "Only the first 9998 bytes of its content were kept."), (20_000, nil)]
    )
    func limited(format: ExportFormat, next: (limit: Int64, problem: String?)) async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        // Characters of two bytes in UTF-16 and in UTF-8.
        let bytes = Array([[UInt8]](repeating: [0xE9, 0], count: 10_000).joined())
        let text = Array(String(repeating: "é", count: 10_000).utf8)
        var exchange = Exchange.plain().with(responseBody: bytes)
        exchange.response?.head = ByteBuffer(
            string: "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-16le\r\n\r\n"
        )
        await store.record([.ended(1, exchange, request: ByteBuffer(), response: ByteBuffer(bytes: bytes))])
        let exporter = Exporter(store: store, scope: .ended, creatorVersion: "1", redactor: nil, remedyWords: nil)
        var written: [UInt8] = []
        _ = try exporter.write(store.ids(Filter()), as: format) { written += $0 }
        let otherHome = try TemporaryStore()
        let other = try otherHome.open(bodyLimitBytes: next.limit)
        let filing = try ArchiveImport(into: other, name: "limited")
        try filing.write(written)
        let report = try filing.finish().report
        #expect(report.read == 1 && report.leftOut == [])
        let body = try #require(try other.exchange(1)?.response?.body)
        let kept = next.problem == nil ? text : Array(text.prefix(9_998))
        #expect(try other.wholeBody(1, .response) == kept)
        #expect(body.kept == Int64(kept.count) && body.archived?.size == Int64(kept.count))
        #expect(body.length == 20_000 && body.isTruncated == (next.problem != nil))
        #expect(body.problem(decoding: nil) == next.problem)
        try store.close()
        try other.close()
        withExtendedLifetime((home, otherHome)) {}
    }

    @Test("What an import cuts of an archived body is held no longer")
    func freed() {
        let bytes = [UInt8](repeating: 97, count: 1 << 20)
        var exchange = Exchange.plain().with(responseBody: bytes)
        exchange.response?.body.archived = ArchivedBody(form: .text, size: 1 << 20, kept: 10, problem: nil)
        var imported = ImportedExchange(exchange)
        imported.responseBody = ByteBuffer(bytes: bytes)
        imported.limitArchivedBodies(to: 10)
        #expect(imported.responseBody.readableBytes == 10 && imported.responseBody.storageCapacity < 1_024)
    }
}
