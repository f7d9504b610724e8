import Lenses
import Testing
import Traffic

@Suite("Questions to the place of the open-data portal", .timeLimit(.minutes(15)))
struct DatasetQuestionTests {
    /// Captures, the newest first; `nil` is one that is deleted while the walk comes to it.
    private struct Captured: CaptureWalk {
        let captures: [Capture?]

        func walk(_ selection: CaptureSelection, _ give: (CaptureVisit) throws -> Bool) throws {
            for capture in captures {
                let summary = (capture ?? DatasetQuestionTests.capture("Parks", id: 1)).summary
                guard try give(CaptureVisit(summary) { capture }) else { return }
            }
        }
    }

    private static func capture(_ title: String, id: ExchangeID) -> Capture {
        PortalCapture.of(
            "package_show?id=a",
            result: #"{"id":"a","name":"a","title":"\#(title)","tags":[{"name":"tree"}],"dataset_category":"Map"}"#,
            id: id
        )
    }

    private func board(
        _ captures: [Capture?],
        _ options: [(name: String, value: String)] = [],
        saved: (DatasetCatalogue) throws -> Set<String> = { _ in [] }
    ) throws -> DatasetBoard {
        try DatasetQuestion(PlaceOptions(options), Filter()).answer(Captured(captures: captures), saved: saved)
    }

    @Test("The newest copy counts, whichever way the walk goes")
    func newest() throws {
        let board = try board([nil, Self.capture("New", id: 2), Self.capture("Old", id: 1)])
        #expect(board.catalogue.datasets.map(\.dataset.title) == ["New"])
        #expect(board.catalogue.exchanges == 2 && board.catalogue.isWhole)
    }

    @Test("Older exchanges than the newest 2,000 are not read, and the board says so")
    func bound() throws {
        let one = Self.capture("Parks", id: 1)
        let whole = try board(Array(repeating: one, count: PlaceBound.answers))
        #expect(whole.catalogue.isWhole && whole.catalogue.exchanges == PlaceBound.answers)
        let cut = try board(Array(repeating: one, count: PlaceBound.answers + 1))
        #expect(!cut.catalogue.isWhole && cut.catalogue.exchanges == PlaceBound.answers)
        var json = JSONWriter()
        cut.write(to: &json)
        #expect(String(decoding: json.take(), as: UTF8.self).hasPrefix(#"{"total":1,"matched":1,"complete":false,"#))
    }

    @Test("What is saved is asked for once the catalogue is read, and selects")
    func saved() throws {
        let captures = [Self.capture("Parks", id: 1)]
        let mine = try board(captures, [("saved", "true")]) { try $0.titles(named: ["a"]) }
        guard case .listing(let sightings) = mine.content else {
            Issue.record("no listing")
            return
        }
        #expect(sightings.map(\.dataset.title) == ["Parks"] && mine.wantsSaved)
        #expect(throws: PlaceProblem.noDataset("aa", near: "a")) {
            try board(captures) { try $0.titles(named: ["aa"]) }
        }
    }

    @Test("Exchanges with others, which only their bodies tell, keep no older dataset from being read")
    func others() throws {
        let other = PortalCapture.of("/other/action/x", body: "[]", host: "other.test")
        let whole = try board(Array(repeating: other, count: PlaceBound.answers + 1) + [Self.capture("Parks", id: 1)])
        #expect(whole.catalogue.isWhole && whole.catalogue.datasets.map(\.dataset.title) == ["Parks"])
    }

    @Test("Handshakes, tunnels and failed answers of the portal's host keep no older dataset from being read")
    func failures() throws {
        for (outcome, code) in [(Outcome.failed, nil), (.tunnelled, 200), (.completed, 503)] as [(Outcome, Int?)] {
            var exchange = PortalCapture.of("package_list").exchange
            exchange.outcome = outcome
            exchange.code = code
            if code == nil { exchange.response = nil }
            var summary = exchange.summary
            summary.lens = "ckan"
            let failed = Capture(exchange: exchange, summary: summary)
            let captures = Array(repeating: failed, count: PlaceBound.answers + 1) + [Self.capture("Parks", id: 1)]
            let catalogue = try board(captures).catalogue
            #expect(catalogue.isWhole && catalogue.datasets.map(\.dataset.title) == ["Parks"], "\(outcome)")
            #expect(catalogue.exchanges == (outcome == .completed ? captures.count : 1), "\(outcome)")
        }
    }

    @Test("A value that nothing captured has is told by the name that its option has")
    func unknown() throws {
        for (option, value) in [("label", "tree"), ("kind", "map")] {
            let captures = [Self.capture("Parks", id: 1)]
            #expect(try board(captures, [(option, value)]).catalogue.exchanges == 1)
            let problem = try #require(throws: PlaceProblem.self) { try board(captures, [(option, "x")]) }
            guard case .unknown(let unknown) = problem else {
                Issue.record("\(problem)")
                return
            }
            #expect(unknown.name == option && unknown.value == "x")
        }
    }

    @Test("The parts of a board are those of what is asked for, and its remarks say what is missing")
    func sections() throws {
        let captures = [Self.capture("Parks", id: 1)]
        let mine = try board(captures, [("saved", "true")]) { _ in ["Parks", "Trees"] }
        #expect(mine.sections.map(\.title) == ["1 of 1 dataset"])
        #expect(mine.remarks == ["Saved, and not in the captures: Trees"])
        let scrolls = try board(captures, [("scroll", "true")])
        #expect(scrolls.sections.isEmpty && scrolls.remarks == ["no page of a list is in the captures"])
    }

    @Test("A name stands for the saved title that it is, and else for what the captures show")
    func forgotten() throws {
        let catalogue = try board([Self.capture("Parks", id: 1)]).catalogue
        #expect(try catalogue.titles(named: ["TREES", "a"], among: ["Trees", "Lakes"]) == ["Trees", "Parks"])
        #expect(throws: PlaceProblem.noDataset("Rinks", near: nil)) {
            try catalogue.titles(named: ["Rinks"], among: ["Trees"])
        }
    }
}
