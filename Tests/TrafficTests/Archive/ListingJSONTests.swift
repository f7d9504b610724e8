import Archive
import Foundation
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct ListingJSONTests {
    private static func listing() -> Listing {
        var failed = SampleExchange(1042, response: nil, code: nil).exchange
        failed.outcome = .failed
        failed.failure = ExchangeFailure(
            side: .upstream,
            phase: .connect,
            cause: .refused,
            message: "Nobody listens.",
            retry: true
        )
        failed.scheme = nil
        failed.version = nil
        failed.upstreamVersion = nil
        failed.timeline.duration = nil
        var answered = SampleExchange(7, responseBody: Array("hello".utf8)).exchange.summary
        answered.mediaType = "text/plain"
        answered.clientName = "What's Open iOS"
        answered.lens = "whatsopen"
        answered.marks = ExchangeMarks(isFavourite: true, tags: ["bug", "slow"], note: "again")
        answered.session = "login"
        answered.messages = MessageCounts(request: 2, response: 31)
        return Listing(
            total: 1042,
            matched: 2,
            next: 7,
            facets: [
                FacetListing(facet: .code, values: [FacetCount(value: "200", count: 1, selected: true)]),
                FacetListing(facet: .method, values: []),
            ],
            exchanges: [failed.summary, answered]
        )
    }

    @Test("A listing is written key by key as the contract says")
    func writesContract() {
        let text = String(decoding: ListingJSON.bytes(Self.listing()), as: UTF8.self)
        #expect(
            text == """
                {"total":1042,"matched":2,"truncated":false,"next":"7","facets":{"code":[{"value":"200","count":1,"selected":true}],"method":[]},\
                "exchanges":[{"id":1042,"started":"2025-11-20T14:02:03.456Z","durationMs":null,"method":"GET","scheme":null,\
                "host":"api.example.test","port":443,"target":"/a?x=1","code":null,"type":null,"url":"/a?x=1","requestBytes":0,"responseBytes":0,\
                "protocol":null,"upstreamProtocol":null,"client":null,"lens":null,"process":null,"outcome":"failed",\
                "failure":{"side":"upstream","phase":"connect","cause":"refused","message":"Nobody listens.","retry":true},"favourite":false,"tags":[],"note":null,"session":null,"receiveMs":0.56,"messageCounts":{"request":0,"response":0}},\
                {"id":7,"started":"2025-11-20T14:02:03.456Z","durationMs":12.4,"method":"GET","scheme":"https","host":"api.example.test",\
                "port":443,"target":"/a?x=1","code":200,"type":"text/plain","url":"https://api.example.test/a?x=1","requestBytes":0,"responseBytes":5,"protocol":"HTTP/1.1",\
                "upstreamProtocol":"HTTP/1.1","client":"What's Open iOS","lens":"whatsopen","process":null,"outcome":"completed","failure":null,\
                "favourite":true,"tags":["bug","slow"],"note":"again","session":"login","receiveMs":0.56,"messageCounts":{"request":2,"response":31}}]}

                """
        )
    }

    @Test("What is written reads back, indented too", arguments: [false, true])
    func readsBack(_ isIndented: Bool) throws {
        var json = JSONWriter(isIndented: isIndented)
        ListingJSON.write(Self.listing(), to: &json)
        let read = try JSONDecoder().decode(ListingJSON.self, from: Data(json.bytes))
        #expect(read.total == 1042)
        #expect(read.next == "7")
        #expect(read.facets["code"] == [FacetCount(value: "200", count: 1, selected: true)])
        #expect(read.exchanges.map(\.id) == [1042, 7])
        #expect(read.exchanges.first?.failure?.cause == .refused)
        #expect(read.exchanges.last?.durationMs == 12.4)
    }

    @Test("A row that rules touched names them, and says whether they changed anything", arguments: ["host", ""])
    func rules(what: String) throws {
        var exchange = SampleExchange(7).exchange
        exchange.rules = [RuleUse(rule: "staging", phase: .requestHead, action: "send", what: what)]
        var json = JSONWriter()
        ExchangeRow.write(exchange.summary, to: &json)
        let text = String(decoding: json.bytes, as: UTF8.self)
        #expect(text.hasSuffix(#""response":0},"ruleNames":["staging"],"modified":\#(!what.isEmpty)}"#), "\(text)")
        let read = try JSONDecoder().decode(ExchangeRow.self, from: Data(json.bytes))
        #expect(read.ruleNames == ["staging"] && read.modified == !what.isEmpty)
    }

    @Test("A line is one exchange and ends with a line feed")
    func writesLine() throws {
        let row = Self.listing().exchanges[1]
        let line = ListingJSON.line(row)
        #expect(line.filter { $0 == UInt8(ascii: "\n") }.count == 1 && line.last == UInt8(ascii: "\n"))
        #expect(try JSONDecoder().decode(ExchangeRow.self, from: Data(line)).client == "What's Open iOS")
    }

    @Test("The end of a listing has a next of null")
    func endsWithNull() {
        let text = String(
            decoding: ListingJSON.bytes(Listing(total: 0, matched: 0, next: nil, facets: [], exchanges: [])),
            as: UTF8.self
        )
        #expect(text == #"{"total":0,"matched":0,"truncated":false,"next":null,"facets":{},"exchanges":[]}"# + "\n")
    }
}
