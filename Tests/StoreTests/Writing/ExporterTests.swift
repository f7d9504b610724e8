import Archive
import NIOCore
import Store
import Testing
import Traffic

@Suite("What an export says of what it wrote", .timeLimit(.minutes(15)))
struct ExporterTests {
    private static let (entryLimit, textLimit) = (20_000, 3_000)

    @Test(
        "Exchanges that an import leaves out for their length are counted as it counts them",
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
        #expect(shortfall.overlong == 3 && shortfall.leftOut == 0)
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
        #expect(read == 3 && leftOut == 3)
        try store.close()
        withExtendedLifetime(home) {}
    }
}
