import NIOCore
import Testing
import Traffic

@Suite("What is read of archives", .timeLimit(.minutes(15)))
struct ArchiveReaderTests {
    /// Reads a HAR with these entries.
    private func read(
        _ entries: [String],
        valuesLimit: Int = ArchiveReader.valuesLimit
    ) throws -> (found: [ImportedExchange], report: ImportReport) {
        var found: [ImportedExchange] = []
        var reader = ArchiveReader(digest: { _ in [UInt8](repeating: 1, count: 32) }, valuesLimit: valuesLimit)
        let creator = #"{"name":"other","version":"1"}"#
        let text = #"{"log":{"version":"1.2","creator":\#(creator),"entries":[\#(entries.joined(separator: ","))]}}"#
        try reader.write(Array(text.utf8)) { found.append($0) }
        try reader.finish { found.append($0) }
        return (found, reader.report)
    }

    private func entry(_ request: String = "", version: String = "HTTP/1.1", more: String = "") -> String {
        """
        {"startedDateTime":"2026-11-20T14:00:00.000Z","time":1,"cache":{},"timings":{"send":0,"wait":1,"receive":0},
         "request":{"method":"POST","url":"https://a.test/x","httpVersion":"\(version)","cookies":[],"headers":[],
                    "queryString":[],"headersSize":-1,"bodySize":-1\(request)},
         "response":{"status":200,"statusText":"OK","httpVersion":"\(version)","cookies":[],"headers":[],
                     "content":{"size":2,"mimeType":"text/plain","text":"ok"},"redirectURL":"","headersSize":-1,
                     "bodySize":2}\(more)}
        """
    }

    @Test("An entry of very many values is left out and told of, and the others are read")
    func manyValues() throws {
        let bomb = entry(more: ",\"_more\":[" + String(repeating: "0,", count: 500) + "0]")
        let result = try read([entry(), bomb, entry()], valuesLimit: 300)
        #expect(result.found.count == 2 && result.report.broken == nil)
        #expect(result.report.leftOut == ["entry 2 has more values than are read"])
        #expect(try read([bomb]).found.count == 1)
    }
}
