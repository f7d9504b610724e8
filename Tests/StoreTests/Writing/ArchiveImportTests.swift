import Archive
import Foundation
import Store
import Testing
import Traffic

@Suite("Archives on their way into a store", .timeLimit(.minutes(15)))
struct ArchiveImportTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    /// An archive as another program writes it, with answers of these texts.
    private func archive(_ bodies: [String]) -> [UInt8] {
        let entries = bodies.map { text in
            """
            {"startedDateTime": "2026-11-20T14:00:00.000Z", "time": 1, "cache": {},
             "timings": {"send": 0, "wait": 1, "receive": 0},
             "request": {"method": "GET", "url": "https://a.test/x", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
                         "queryString": [], "headersSize": -1, "bodySize": 0},
             "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
                          "content": {"size": \(text.utf8.count), "mimeType": "text/plain", "text": "\(text)"},
                          "redirectURL": "", "headersSize": -1, "bodySize": \(text.utf8.count)}}
            """
        }
        let creator = #"{"name": "other", "version": "1"}"#
        return Array(
            #"{"log": {"version": "1.2", "creator": \#(creator), "entries": [\#(entries.joined(separator: ","))]}}"#
                .utf8
        )
    }

    @Test("An import is dated by the store's clock")
    func dated() throws {
        let store = try home.open(clock: TimeSource { Date(timeIntervalSince1970: 5) })
        // Let go of without its end, it is broken off.
        _ = try ArchiveImport(into: store, name: "other.har")
        #expect(try store.brokenImports().map(\.started) == [5_000_000])
    }

    @Test("The digest of a body is taken from its bytes, and equal bodies are kept once")
    func digests() throws {
        let store = try home.open()
        let filing = try ArchiveImport(into: store, name: "other.har")
        try filing.write(archive(["abc", "abc", "abd"]))
        #expect(try filing.finish().report.read == 3)
        // FIPS 180-4's own example.
        let known: [UInt8] = [
            0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE, 0x22, 0x23,
            0xB0, 0x03, 0x61, 0xA3, 0x96, 0x17, 0x7A, 0x9C, 0xB4, 0x10, 0xFF, 0x61, 0xF2, 0x00, 0x15, 0xAD,
        ]
        #expect(try store.exchange(1)?.response?.body.sha256 == known)
        #expect(try store.exchange(2)?.response?.body.sha256 == known)
        #expect(try store.exchange(3)?.response?.body.sha256 != known)
        #expect(try store.wholeBody(2, .response) == Array("abc".utf8))
        #expect(try store.wholeBody(3, .response) == Array("abd".utf8))
        try store.close()
        #expect(try home.bodyBytes() == 6)
    }
}
