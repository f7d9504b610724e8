import Foundation
import Lenses
import NIOCore
import Testing
import Traffic

@Suite("Questions to the place of the virtual meetings", .timeLimit(.minutes(15)))
struct MeetingQuestionTests {
    /// Captures, the newest first; `nil` is one that is deleted while the walk comes to it.
    private struct Captured: CaptureWalk {
        let captures: [Capture?]

        func walk(_ selection: CaptureSelection, _ give: (CaptureVisit) throws -> Bool) throws {
            for capture in captures {
                let summary = (capture ?? MeetingQuestionTests.list).summary
                guard try give(CaptureVisit(summary) { capture }) else { return }
            }
        }
    }

    private static let list = answer("/?query", #"{"meeting_id":11},{"meeting_id":12}"#)
    private static let single = answer("/?query&ids=(1,11)", #"{"meeting_id":11}"#)
    private static let empty = answer("/?query", "")
    /// Another server's answer to a target of that form.
    private static let stranger = answer("/?query", body: #"{"hits":[]}"#)

    private static func answer(_ target: String, _ meetings: String) -> Capture {
        answer(target, body: #"{"meta":{},"meetings":[\#(meetings)]}"#)
    }

    private static func answer(_ target: String, body: String) -> Capture {
        var exchange = Exchange(
            timeline: Timeline(started: 1_789_000_000_000_000),
            method: "GET",
            scheme: .https,
            host: "meetings.test",
            port: 443,
            target: target,
            request: Message(head: ByteBuffer(string: "GET \(target) HTTP/1.1\r\n\r\n")),
            client: Peer(token: 1, address: "", tls: nil),
            outcome: .completed
        )
        exchange.code = 200
        exchange.response = Message(
            head: ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
        )
        return Capture(exchange: exchange, response: CapturedBody(bytes: Array(body.utf8)))
    }

    private func board(_ captures: [Capture?], attended: () throws -> Set<UInt64> = { [] }) throws -> MeetingBoard {
        try MeetingQuestion(PlaceOptions(), Filter(), now: Date(timeIntervalSince1970: 0), usual: "UTC")
            .answer(Captured(captures: captures), attended: attended)
    }

    @Test("The newest list is taken; an answer about single meetings only where there is no list")
    func newest() throws {
        let found = try board([nil, Self.empty, Self.single, Self.list, Self.single])
        #expect(found.table.entries.count == 2 && found.finding.isWhole)
        #expect(try board([Self.empty, Self.single]).table.entries.count == 1)
    }

    @Test("Older answers than the newest 2,000 are not read, and the board says so")
    func bound() throws {
        let newest: [Capture?] = [Self.single] + Array(repeating: Self.empty, count: PlaceBound.answers - 2)
        #expect(try board(newest + [Self.list]).table.entries.count == 2)
        let cut = try board(newest + [Self.empty, Self.list])
        #expect(cut.table.entries.count == 1 && !cut.finding.isWhole)
    }

    @Test("What is no list of meetings, and what is left unread, keeps no older list from being read")
    func others() throws {
        for other in [Self.single, Self.stranger, nil] {
            let others: [Capture?] = Array(repeating: other, count: PlaceBound.answers + 1)
            let found = try board(others + [Self.list])
            #expect(found.table.entries.count == 2 && found.finding.isWhole)
        }
    }

    @Test("Of exchanges that are no lists of meetings the newest 10,000 are read, and the board says so")
    func otherBound() throws {
        let others: [Capture?] = Array(repeating: Self.stranger, count: PlaceBound.others - 1)
        #expect(try board(others + [Self.list]).table.entries.count == 2)
        let cut = try board([Self.single] + others + [Self.stranger, Self.list])
        #expect(cut.table.entries.count == 1 && !cut.finding.isWhole)
        #expect(throws: PlaceProblem.notInNewest(what: "list of meetings")) {
            try board(others + [Self.stranger, Self.list])
        }
    }

    @Test("Where no meetings are found, nobody is asked which are attended")
    func absence() throws {
        var isAsked = false
        #expect(throws: PlaceProblem.noMeetings) {
            try board([Self.empty]) {
                isAsked = true
                return []
            }
        }
        #expect(!isAsked)
    }
}
