import NIOCore
import Synchronization
import Testing
import Traffic

@testable import Store

@Suite("Successes that failed inside, by the word of a judge", .timeLimit(.minutes(15)))
struct FailedInsideTests {
    /// Calls every answer a failure that has `error` in it, cannot say it of one that has `half` in it, and counts how often it is asked.
    private final class Judge: FailureJudge {
        private let asked = Mutex<[ExchangeID]>([])

        func failsInside(_ capture: Capture) -> Bool? {
            asked.withLock { $0.append(capture.id) }
            return capture.response.text.contains("half") ? nil : capture.response.text.contains("error")
        }

        /// The exchanges that it was asked about since the last look, ascending.
        func look() -> [ExchangeID] {
            asked.withLock { asked in
                defer { asked = [] }
                return asked.sorted()
            }
        }
    }

    /// Names a lens for every exchange but those without a media type.
    private struct Classifier: ExchangeClassifier {
        func classify(_ exchange: Exchange, bodyStart: (MessageSide) -> [UInt8]) -> ExchangeClass {
            ExchangeClass(client: nil, lens: exchange.mediaType == nil ? nil : "json")
        }
    }

    /// Names no lens.
    private struct Unnamed: ExchangeClassifier {
        func classify(_ exchange: Exchange, bodyStart: (MessageSide) -> [UInt8]) -> ExchangeClass {
            ExchangeClass(client: nil, lens: nil)
        }
    }

    private static func ended(_ token: CaptureToken, _ exchange: Exchange, _ text: String) -> ExchangeEvent {
        var exchange = exchange
        let body = Array(text.utf8)
        exchange.response?.body = .measured(body)
        return .ended(token, exchange, request: ByteBuffer(), response: ByteBuffer(bytes: body))
    }

    @Test(
        "Blocks and rows select, count and negate alike, and nobody is asked about any other exchange",
        arguments: [false, true]
    )
    func selects(isIndexed: Bool) async throws {
        let (home, judge) = (try TemporaryStore(), Judge())
        let store = try home.open(classifier: Classifier(), judge: judge)
        await store.record([
            Self.ended(1, .plain(), "fine"), Self.ended(2, .plain(), "an error"),
            Self.ended(3, .plain(code: 500), "an error"), Self.ended(4, .plain(outcome: .cancelled), "an error"),
            Self.ended(5, .plain(mediaType: nil), "an error"), Self.ended(6, .plain(code: 204), "error again"),
        ])
        if isIndexed { try store.index() }
        for (query, selected) in [
            ("is:failed-inside", [6, 2]), ("-is:failed-inside", [5, 4, 3, 1]), ("is:failed-inside code:200", [2]),
        ] as [(String, [ExchangeID])] {
            let listing = try store.list(ListingQuery(filter: try FilterParser.parse(query, now: 0)))
            #expect(listing.exchanges.map(\.id) == selected && listing.matched == selected.count, "\(query)")
            #expect(Set(judge.look()).isSubset(of: [1, 2, 6]), "\(query)")
        }
        let filter = try FilterParser.parse("is:failed-inside", now: 0)
        #expect(try store.ids(filter) == [2, 6])
        #expect(try store.overview(filter).matched == 2)
        #expect(try store.selected(by: filter, of: store.summaries(of: [1, 2, 3])) == [2])
    }

    @Test("What cannot be judged is counted as searched in part, in a listing and in a walk", arguments: [false, true])
    func unread(isIndexed: Bool) async throws {
        let home = try TemporaryStore()
        let store = try home.open(classifier: Classifier(), judge: Judge())
        await store.record([
            Self.ended(1, .plain(), "fine"), Self.ended(2, .plain(), "half an error"),
            Self.ended(3, .plain(), "an error"),
        ])
        if isIndexed { try store.index() }
        let filter = try FilterParser.parse("is:failed-inside", now: 0)
        let listing = try store.list(ListingQuery(filter: filter))
        #expect(listing.exchanges.map(\.id) == [3] && listing.searchedInPart == 1)
        #expect(listing.partSentence?.hasPrefix("One exchange was searched in part only") == true)
        var given: [ExchangeID] = []
        #expect(try store.eachSummary(filter) { given.append($0.id) } == 1 && given == [3])
        #expect(try store.list(ListingQuery(filter: Filter())).searchedInPart == 0)
    }

    @Test("An answer in JSON is judged where no lens was recorded, as by earlier versions", arguments: [false, true])
    func unnamed(isIndexed: Bool) async throws {
        let (home, judge) = (try TemporaryStore(), Judge())
        let store = try home.open(classifier: Unnamed(), judge: judge)
        await store.record([
            Self.ended(1, .plain(mediaType: "application/json"), "an error"),
            Self.ended(2, .plain(mediaType: "image/png"), "an error"),
        ])
        if isIndexed { try store.index() }
        #expect(try store.ids(FilterParser.parse("is:failed-inside", now: 0)) == [1])
        #expect(judge.look() == [1])
    }

    @Test("Without a judge no exchange failed inside")
    func unjudged() async throws {
        let home = try TemporaryStore()
        let store = try home.open(classifier: Classifier())
        await store.record([Self.ended(1, .plain(), "an error")])
        #expect(try store.ids(FilterParser.parse("is:failed-inside", now: 0)) == [])
    }
}
