import Foundation
import GRDB
import NIOCore
import Support
import Testing
import Traffic

@testable import Store

@Suite("Search blocks and their filters", .timeLimit(.minutes(15)))
struct SearchBlockTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    private func block() -> SearchBlock {
        var block = SearchBlock(index: 3)
        block.settled = 0b111
        for offset in 0..<3 as Range<UInt8> {
            var entry = SearchBlock.Entry(offset: offset)
            for part in SearchPart.allCases {
                for word in ["shared \(part)", "own \(offset) \(part)"] {
                    if let number = block.sections[part.section.rawValue].insert(Array(word.utf8)) {
                        entry.texts[part.rawValue].append(number)
                    }
                }
            }
            block.entries.append(entry)
        }
        return block
    }

    /// The places of the exchanges that have a needle in some parts; `nil` when the bytes are no block's.
    private func holders(of needle: String, in parts: [SearchPart], _ block: SearchBlock, _ places: [UInt8]) -> [Int]? {
        places.withUnsafeBytes { places in
            guard let view = SearchBlockView(places: places) else { return nil }
            var found: [[UInt8]] = []
            for section in SearchPart.Section.allCases {
                var verdicts = [UInt8](repeating: 0, count: view.count(section))
                let isSound = block.sections[section.rawValue].bytes.withUnsafeBytes { bytes in
                    view.each(section, holding: Array(needle.utf8), in: bytes) { verdicts[$0] = 2 }
                }
                guard isSound else { return nil }
                found.append(verdicts)
            }
            var holders: [Int] = []
            let isSound = view.eachEntry(parts.reduce(0) { $0 | 1 << UInt8($1.rawValue) }, found) {
                offset,
                _,
                _,
                most in
                if most == 2 { holders.append(offset) }
            }
            return isSound ? holders : nil
        }
    }

    @Test("A text is found in the exchanges and the parts that have it, equal ones kept once")
    func finds() {
        let block = block()
        let places = Array(block.encodedPlaces().readableBytesView)
        #expect(holders(of: "shared url", in: [.url], block, places) == [0, 1, 2])
        #expect(holders(of: "own 1 message", in: SearchPart.allCases, block, places) == [1])
        #expect(holders(of: "own 1 message", in: [.url, .requestBody], block, places) == [])
        #expect(holders(of: "url\u{FF}own", in: [.url], block, places) == [])
        #expect(block.sections[SearchPart.Section.urls.rawValue].count == 4)
    }

    @Test("Places that are cut or changed are refused or read as something sound, never a trap")
    func damage() {
        let block = block()
        let whole = Array(block.encodedPlaces().readableBytesView)
        for length in 0..<whole.count {
            _ = holders(of: "own", in: SearchPart.allCases, block, Array(whole.prefix(length)))
        }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            var bytes = whole
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            _ = holders(of: "own", in: SearchPart.allCases, block, bytes)
        }
    }

    @Test("A filter says yes to every run of bytes that was added, and no to most others")
    func filter() {
        var filter = TrigramFilter()
        let text = Array((0..<2_000).map { "word\($0 * 7) " }.joined().utf8)
        text.withUnsafeBytes { filter.add($0) }
        func holds(_ needle: [UInt8]) -> Bool {
            TrigramFilter.bits(of: needle).allSatisfy { filter.bytes[$0 >> 3] >> UInt8($0 & 7) & 1 == 1 }
        }
        for start in stride(from: 0, to: text.count - 20, by: 17) { #expect(holds(Array(text[start..<start + 20]))) }
        let others = (0..<500).filter { holds(Array("zebra-\($0)-qx".utf8)) }
        #expect(others.count < 5 && TrigramFilter.bits(of: [1, 2]).isEmpty)
    }

    private func body(_ text: String, at token: CaptureToken) -> ExchangeEvent {
        let bytes = Array(text.utf8)
        return .ended(token, .plain().with(responseBody: bytes), request: .init(), response: ByteBuffer(bytes: bytes))
    }

    /// Exchanges of an archive, each answered with its number.
    private func numbered(_ numbers: ClosedRange<ExchangeID>) -> [ImportedExchange] {
        numbers.map { ImportedExchange(.plain(), number: $0, responseBody: Array("number \($0)".utf8)) }
    }

    private func matched(_ text: String, in store: TrafficStore) throws -> Listing {
        try store.list(ListingQuery(filter: FilterParser.parse(text, now: 0), countsFacets: false))
    }

    @Test("A group that is whole has filters, and what they rule out and let through is what the rows say")
    func group() async throws {
        let store = try home.open()
        var exchanges = numbered(3_401...4_200)
        exchanges[99] = ImportedExchange(.plain(), number: 3_500, responseBody: Array("a rare kingfisher".utf8))
        try await store.record(numbered: exchanges)
        try store.index()
        #expect(try home.count(.searchGroup) == 1)
        #expect(try home.count(.searchBlock) == 26)
        #expect(store.indexLag == 0)
        #expect(try matched("KINGFISHER", in: store).exchanges.map(\.id) == [3_500])
        #expect(try matched("body:\"number 35\"", in: store).matched == 99)
        #expect(try matched("-body:number", in: store).exchanges.map(\.id) == [3_500])
        #expect(
            try matched("body:/r\\w+\\sking/", in: store).matched == 1
                && matched("message:number", in: store).matched == 0
        )
        #expect(try store.check().problems == [])
    }

    @Test("Deleting takes the words out of the blocks at once, and the others are found as before")
    func deletion() async throws {
        let store = try home.open()
        await store.record((1...40).map { body($0 == 7 ? "the secret heron" : "plain \($0)", at: $0) })
        try store.index()
        #expect(try home.searchBlocks(holding: "heron") == 1)
        #expect(try store.delete([7]).deleted == 1)
        #expect(try home.searchBlocks(holding: "heron") == 0)
        #expect(try matched("heron", in: store).matched == 0 && matched("body:plain", in: store).matched == 39)
        try store.index()
        #expect(try home.count(.searchBlock) == 2 && store.check().problems == [])
        #expect(try matched("body:plain", in: store).matched == 39)
    }

    @Test("A body with more text than is looked at is searched up to there, and the result says so")
    func cut() async throws {
        let store = try home.open()
        let long = [UInt8](repeating: UInt8(ascii: "a"), count: BodyText.limitBytes) + Array(" zebra".utf8)
        let exchange = Exchange.plain().with(responseBody: long)
        await store.record([
            .opened(1, .plain(outcome: .pending)), .body(1, .response, ByteBuffer(bytes: long)),
            .ended(1, exchange, request: .init(), response: .init()), body("a zebra", at: 2),
        ])
        #expect(try matched("body:zebra", in: store).searchedInPart == 1)
        try store.index()
        let listing = try matched("body:zebra", in: store)
        #expect(listing.searchedInPart == 1 && listing.exchanges.map(\.id) == [2])
        #expect(listing.partSentence?.contains("32 MiB") == true)
        #expect(try matched("url:zebra", in: store).searchedInPart == 0)
    }

    @Test(
        "Numbers far apart cost what their exchanges cost: nothing is made of those between, now or at the next start"
    )
    func farApart() async throws {
        let numbers: [ExchangeID] = [5, 6, 4_000_000, 12_000_000]
        var store = try home.open()
        let writer = try #require(store.writer)
        let archive = try writer.begin(importOf: "sparse.har", started: 1)
        await store.record(
            numbers.map { number in
                var exchange = Exchange.plain(target: "/number/\(number)")
                exchange.id = number
                return .imported(archive, ImportedExchange(exchange))
            }
        )
        _ = try writer.end(import: archive, as: .done)
        for round in 0..<2 {
            try store.index()
            #expect(store.indexLag == 0)
            #expect(try home.count(.searchBlock) == 3 && home.count(.searchGroup) == 0)
            #expect(try home.count(.facetBlock) == 3)
            #expect(try store.ids(Filter()) == numbers, "round \(round)")
            #expect(try matched("url:number/4000000", in: store).exchanges.map(\.id) == [4_000_000])
            #expect(try matched("-url:number/4000000", in: store).matched == 3)
            #expect(try store.check().problems == [])
            try store.close()
            let pages = try home.pages()
            #expect(pages.count * pages.bytes < 1 << 20)
            store = try home.open()
        }
        #expect(await store.record([.plain()]).ids == [12_000_001])
        try store.index()
        #expect(try home.count(.searchBlock) == 4 && store.check().problems == [])
        try store.close()
    }

    @Test("What is deleted takes along what was made of it, and of few exchanges no filters are made")
    func spent() async throws {
        var store = try home.open()
        // Six hundred of each of two groups, and some of a third.
        try await store.record(numbered: numbered(3_497...4_096) + numbered(7_593...8_200))
        try store.index()
        #expect(try home.count(.searchGroup) == 2 && home.count(.searchFilter) == 512)
        #expect(try home.count(.facetBlock) == 3 && home.count(.lineColumn) == 15)
        #expect(try store.delete(Array(3_497...4_096)).deleted == 600)
        try store.index()
        #expect(try home.count(.searchGroup) == 1 && home.count(.searchFilter) == 256)
        #expect(try home.count(.facetBlock) == 2 && home.count(.lineColumn) == 10)
        #expect(try store.delete(Array(7_593...8_000)).deleted == 408)
        #expect(try home.count(.searchFilter) == 0)
        for _ in 0..<2 {
            try store.index()
            #expect(try home.count(.searchGroup) == 0 && home.count(.searchFilter) == 0)
            #expect(try home.count(.searchBlock) == 7 && home.count(.facetBlock) == 2)
            #expect(try matched("body:\"number 8100\"", in: store).exchanges.map(\.id) == [8_100])
            #expect(try matched("body:number", in: store).matched == 200 && store.check().problems == [])
            try store.close()
            store = try home.open()
        }
        try store.close()
    }

    @Test("Making blocks moves the log into the file as recording does, so that it stays small")
    func log() async throws {
        // Nothing reads while blocks are made: a log that is being read cannot be moved into the file.
        var store = try home.open(makesBlocks: false)
        for round in 0..<35 {
            await store.record(
                (1...40).map { body("\(round) \($0) " + String(repeating: "kingfisher ", count: 500), at: $0) }
            )
        }
        try store.close()
        store = try home.open(makesBlocks: false)
        let wal = WriteAheadLog(checkpointBytes: 1 << 20)
        let indexer = try BlockIndexer(pool: store.pool, wal: wal, quiet: .seconds(3_600))
        // Some in the background, then the rest.
        indexer.waitUntilIdle()
        try await store.pool.writeWithoutTransaction { try indexer.makeDue(atMost: .max, $0) }
        indexer.close()
        #expect(try home.count(.searchBlock) == 44)
        let log = try FileManager.default.attributesOfItem(atPath: home.path + "-wal")[.size] as? Int
        // Nearly eight megabytes of text passed through it, three at a time. A reader may have been in the way once.
        #expect(try #require(log) < 6 << 20)
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test("A JSON body that is too long to be looked into is said to be, before its block is made and after")
    func longJSON() async throws {
        let store = try home.open()
        let long = Array("{\"a\":1,\"b\":\"".utf8) + [UInt8](repeating: 0x78, count: 9 << 20) + Array("\"}".utf8)
        var exchange = Exchange.plain().with(responseBody: long)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
        exchange.response?.head = ByteBuffer(string: head)
        await store.record([
            .opened(1, .plain(outcome: .pending)), .body(1, .response, ByteBuffer(bytes: long)),
            .ended(1, exchange, request: .init(), response: .init()),
        ])
        #expect(try matched("json:$.a=1", in: store).searchedInPart == 1)
        try store.index()
        let listing = try matched("json:$.a=1", in: store)
        #expect(listing.searchedInPart == 1 && listing.matched == 0)
        try store.close()
    }

    @Test("Behind bytes that are no text, behind escapes and in queries texts are found, in rows and in blocks alike")
    func writtenOtherwise() async throws {
        let store = try home.open()
        func exchange(_ target: String, _ type: String, _ bytes: [UInt8]) -> ExchangeEvent {
            var exchange = Exchange.plain(target: target).with(responseBody: bytes)
            exchange.response?.head = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n")
            return .ended(1, exchange, request: .init(), response: ByteBuffer(bytes: bytes))
        }
        let noise = pattern(9_000).map { $0 | 0x80 }
        await store.record([
            exchange("/1", "text/plain; charset=utf-8", [0xFF] + Array("a heron".utf8)),
            exchange("/2", "text/html", Array("Z".utf8) + [0xFC] + Array("rich".utf8)),
            exchange("/3", "application/json", Array(#"{"city":"Z\u00fcrich","bird":"heron"}"#.utf8)),
            exchange("/4?at=Z%C3%BCrich+West", "text/plain", []),
            exchange("/5", "multipart/form-data; boundary=x", noise + Array("heron".utf8)),
            exchange("/6", "application/octet-stream", noise + Array("heron".utf8)),
            exchange("/7", "application/json", Array(#"{"regex":"[\\u00fc]"}"#.utf8)),
        ])
        for _ in 0..<2 {
            #expect(try matched("heron", in: store).exchanges.map(\.id) == [5, 3, 1])
            #expect(try matched("zürich", in: store).exchanges.map(\.id) == [4, 3, 2])
            #expect(try matched("\"zürich west\"", in: store).exchanges.map(\.id) == [4])
            #expect(try matched("json:$.city=Zürich", in: store).exchanges.map(\.id) == [3])
            #expect(try matched("body:/z.rich/", in: store).exchanges.map(\.id) == [3, 2])
            // As it stands in the raw text: for what it stands for, and for itself.
            #expect(try matched(#"Z\u00FCrich"#, in: store).exchanges.map(\.id) == [4, 3, 2])
            #expect(try matched(#"body:z\u00fc"#, in: store).exchanges.map(\.id) == [3, 2])
            #expect(try matched(#"\u00fc]"#, in: store).exchanges.map(\.id) == [7])
            let filter = try FilterParser.parse(#"resbody:\u00fcrich"#, now: 0)
            #expect(try store.findings(of: filter, in: store.summaries(of: [3]))[3]?.count == 1)
            try store.index()
        }
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test("Of two types that Unicode takes for the same each body is read by its own")
    func alikeTypes() async throws {
        let store = try home.open()
        func exchange(_ number: CaptureToken, _ type: String, _ bytes: [UInt8]) -> ExchangeEvent {
            var exchange = Exchange.plain(target: "/\(number)").with(responseBody: bytes)
            exchange.response?.head = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n")
            return .ended(number, exchange, request: .init(), response: ByteBuffer(bytes: bytes))
        }
        // The Greek question mark is canonically a semicolon.
        await store.record([
            exchange(1, "text/plain\u{37E}charset=utf-16le", Array("a heron".utf8)),
            exchange(2, "text/plain;charset=utf-16le", "a zander".utf16.flatMap { [UInt8($0), 0] }),
        ])
        for _ in 0..<2 {
            #expect(try matched("zander", in: store).exchanges.map(\.id) == [2])
            #expect(try matched("heron", in: store).exchanges.map(\.id) == [1])
            try store.index()
        }
        try store.close()
    }

    @Test("Of two targets that Unicode takes for the same each is found by its own bytes")
    func alikeTargets() async throws {
        let store = try home.open()
        await store.record([
            .plain(target: "/caf\u{E9}?a=\u{E9}b"), .plain(target: "/cafe\u{301}?a=e\u{301}b"),
            .plain(target: "/a\u{37E}b"), .plain(target: "/a;b"),
        ])
        for _ in 0..<2 {
            for (query, found) in [
                ("path:/caf\u{E9}", [1]), ("path:/cafe\u{301}", [2]), ("url:/cafe\u{301}", [2]),
                ("query:=\u{E9}b", [1]), ("query:=e\u{301}b", [2]), ("path:/a;b", [4]), ("path:/a\u{37E}b", [3]),
            ] as [(String, [ExchangeID])] {
                let filter = try FilterParser.parse(query, now: 0)
                #expect(try store.list(ListingQuery(filter: filter)).exchanges.map(\.id) == found, "\(query)")
            }
            try store.index()
        }
        try store.close()
    }

    @Test("Bytes that several exchanges share are one text for each type that they go by")
    func sharedBytes() async throws {
        let store = try home.open()
        let bytes = Array(#"{"bird":"heron"}"#.utf8)
        func exchange(_ number: CaptureToken, _ type: String) -> ExchangeEvent {
            var exchange = Exchange.plain(target: "/\(number)").with(responseBody: bytes)
            exchange.response?.head = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n")
            return .ended(number, exchange, request: .init(), response: ByteBuffer(bytes: bytes))
        }
        let types = ["application/json", "text/plain", "application/json", "image/png", "text/plain"]
        await store.record(types.enumerated().map { exchange(CaptureToken($0 + 1), $1) })
        try store.close()
        let block = try await DatabaseQueue(path: home.path).read { try FreshSearchBlock(index: 0, in: $0).block }
        #expect(block.sections[SearchPart.Section.bodies.rawValue].count == 2)
        #expect(block.entries.map { $0.texts[SearchPart.responseBody.rawValue] } == [[0], [1], [0], [], [1]])
    }

    @Test("Blocks in which texts are read as they were by an earlier version are not asked, and made again")
    func earlierLayout() async throws {
        var store = try home.open()
        await store.record((1...40).map { body("number \($0)", at: $0) })
        try store.close()
        try StoreDamage.earlierTexts.happen(to: home)
        store = try home.open()
        #expect(try matched("body:\"number 39\"", in: store).exchanges.map(\.id) == [39])
        try store.index()
        #expect(try matched("body:\"number 39\"", in: store).exchanges.map(\.id) == [39])
        #expect(try home.settledSearchBlocks() == 1 && store.check().problems == [])
        try store.close()
    }
}
