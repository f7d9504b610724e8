import Archive
import Foundation
import Lenses
import NIOCore
import Store
import Support
import Testing
import Traffic

@Suite("Exchanges are classified once, when they end", .timeLimit(.minutes(15)))
struct ClassificationTests {
    /// A meeting server's answer with so much before what tells it that it takes several pieces.
    private static let meetings = Array(
        #"{"pad": "\#(String(repeating: "x", count: 900))", "meta": {"total": 0}, "meetings": []}"#.utf8
    )
    private static let json = "Content-Type: application/json\r\n"

    private let directory: TemporaryDirectory
    private let store: TrafficStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try TrafficStore(path: directory.file("s.db"), access: .writing, classifier: LensSet.standard)
    }

    private func submit(_ events: [ExchangeEvent]) async {
        _ = await withCheckedContinuation { continuation in
            store.submit(CaptureBatch(events: events) { continuation.resume(returning: $0) })
        }
    }

    private func classes() throws -> [[String?]] {
        try store.summaries(after: 0, limit: .max).map { [$0.clientName, $0.lens] }
    }

    private static func ended(_ sample: Sample) -> ExchangeEvent {
        .ended(
            sample.token,
            sample.exchange,
            request: ByteBuffer(bytes: sample.requestBody),
            response: ByteBuffer(bytes: sample.responseBody)
        )
    }

    @Test("A gzip-coded chunked response from an unknown host is known by its decoded beginning")
    func gzipped() async throws {
        let coded = try await CommandLineTool.run("gzip", ["-c"], input: Self.meetings).outputBytes
        let fields = Self.json + "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"
        await submit([Self.ended(Sample(1, "GET", "/feed?query", host: "u.test", fields: fields, responseBody: coded))])
        #expect(try classes() == [["Virtual Meeting Finder", "meetings"]])
        // The same bytes under another coding are nothing that a lens could read.
        let other = Self.json + "Content-Encoding: x-none\r\n"
        await submit([Self.ended(Sample(2, "GET", "/feed?query", host: "u.test", fields: other, responseBody: coded))])
        #expect(try classes().last?.last != "meetings")
    }

    @Test(
        "A body that came in pieces while the exchange was open is looked at across them",
        arguments: [10, 700, 2_000]
    )
    func pieces(size: Int) async throws {
        let sample = Sample(
            1,
            "GET",
            "/feed?query",
            host: "u.test",
            fields: Self.json,
            responseBody: Self.meetings + [UInt8](repeating: 0x20, count: 40_000)
        )
        var open = sample.exchange
        (open.outcome, open.timeline.duration) = (.pending, nil)
        await submit([.opened(1, open)])
        #expect(try classes() == [[nil, nil]])
        // A little first, then more than is joined to it.
        let (first, rest) = (sample.responseBody.prefix(size), sample.responseBody.dropFirst(size))
        await submit([.body(1, .response, ByteBuffer(bytes: first))])
        await submit([.body(1, .response, ByteBuffer(bytes: rest.dropLast(9)))])
        await submit([.ended(1, sample.exchange, request: ByteBuffer(), response: ByteBuffer(bytes: rest.suffix(9)))])
        #expect(try classes() == [["Virtual Meeting Finder", "meetings"]])
        #expect(try store.list(ListingQuery()).facets.first { $0.facet == .lens }?.values.map(\.value) == ["meetings"])
    }

    @Test("What an archive holds is classified as it comes in; who sent it is as the archive says")
    func imported() async throws {
        let text = String(decoding: Self.meetings, as: UTF8.self).replacing("\"", with: "\\\"")
        func entry(_ members: String, host: String) -> String {
            #"{"startedDateTime":"2026-01-02T03:04:05.678Z","time":1,\#(members)"request":{"method":"GET","url":"https://\#(host)/feed?query","httpVersion":"HTTP/1.1","#
                + #"""
                "cookies":[],"headers":[],"queryString":[],"headersSize":-1,"bodySize":0},"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1",
                "cookies":[],"headers":[{"name":"Content-Type","value":"application/json"},{"name":"Content-Encoding","value":"gzip"}],
                "content":{"size":2000,"mimeType":"application/json","text":"\#(text)"},"redirectURL":"","headersSize":-1,"bodySize":99},
                "cache":{},"timings":{"send":0,"wait":1,"receive":0}}
                """#
        }
        let own = #""_client":"Someone's own","_lens":"json","_inspect":{},"#
        let har = #"{"log":{"version":"1.2","creator":{"name":"t","version":"1"},"pages":[],"entries":["#
        let archive = try ArchiveImport(into: store, name: "a.har")
        try archive.write(
            Array("\(har)\(entry("", host: "u.test")),\(entry(own, host: "meetings.recovrr.org"))]}}".utf8)
        )
        #expect(try archive.finish().report.leftOutCount == 0)
        #expect(try classes() == [["Virtual Meeting Finder", "meetings"], ["Someone's own", "meetings"]])
    }

    @Test("What failed, and what was passed through unread, is classified by what is known of it")
    func unread() async throws {
        await submit([Self.ended(Sample(1, "GET", "/feed", host: "api.srct.gmu.edu").failed())])
        var tunnel = Sample(2, "CONNECT", "gateway.icloud.com:443", host: "gateway.icloud.com").exchange
        (tunnel.outcome, tunnel.response, tunnel.code, tunnel.scheme) = (.tunnelled, nil, nil, nil)
        await submit([.ended(2, tunnel, request: ByteBuffer(), response: ByteBuffer())])
        #expect(try classes().map(\.last) == ["whatsopen", "cloudkit-native"])
    }
}
