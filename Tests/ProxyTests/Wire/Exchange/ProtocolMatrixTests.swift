import NIOCore
import Proxy
import Testing
import Traffic

/// Every kind of exchange in every pair of versions, with Python's h2 and raw sockets at both ends.
@Suite(.timeLimit(.minutes(15)))
struct ProtocolMatrixTests {
    @Test("What either side sends is what the other gets, and what is recorded, in every pair of versions")
    func matrix() async throws {
        try await RunningProxy.run {
            $0.matchesProtocols = false
        } _: { proxy in
            let cells = try await Matrix.play(through: proxy)
            #expect(cells.count == 4 * 13)
            let records = try await proxy.sink.ended(cells.count)
            for cell in cells {
                let name = "\(cell.case) \(cell.client) to \(cell.upstream)"
                #expect(faults(of: cell) == [], "\(name)")
                let own = records.filter { $0.exchange.target == "/\(cell.case)?q=a+b" && isOf($0.exchange, cell) }
                let record = try #require(own.first, "\(name) has no row")
                #expect(own.count == 1, "\(name)")
                #expect(recordFaults(of: cell, record) == [], "\(name)")
            }
        }
    }

    private func isOf(_ exchange: Exchange, _ cell: Matrix.Cell) -> Bool {
        exchange.version == cell.clientVersion && exchange.port == cell.port
    }

    /// What is wrong with what the two ends saw.
    private func faults(of cell: Matrix.Cell) -> [String] {
        var found: [String] = []
        func expect(_ isTrue: Bool, _ what: String) { if !isTrue { found.append(what) } }
        let got = cell.got
        expect(cell.seen.path == nil || cell.seen.path == "/\(cell.case)?q=a+b", "path \(cell.seen.path ?? "")")
        expect(cell.seen.authority == "localhost:\(cell.port)", "authority \(cell.seen.authority ?? "none")")
        expect(cell.seen.cookie?.joined(separator: "; ") == "a=1; b=2", "cookies \(cell.seen.cookie ?? [])")
        let codes = ["no-content": 204, "not-modified": 304, "early": 413]
        switch cell.case {
        case "upstream-reset-early" where cell.client == "h2" && cell.upstream == "h2":
            expect(got.code == nil && got.reset == 11, "a stream reset before its response: \(got)")
        case "upstream-reset-early": expect(got.code == 502, "a reset before the response: \(got)")
        default: expect(got.code == codes[cell.case] ?? 200, "code \(got.code ?? 0)")
        }
        switch cell.case {
        case "get":
            expect(got.content == "hello" && got.fields?.contains(["x-origin", "a, b"]) == true, "\(got)")
        case "head":
            expect(got.length == 0 && got.fields?.contains(["content-length", "5"]) == true, "\(got)")
        case "no-content", "not-modified": expect(got.length == 0 && got.ended == true, "\(got)")
        case "post-length", "post-streamed":
            expect(got.content == cell.seen.sha, "the origin's digest is not what the client got")
            expect(cell.seen.length == (cell.case == "post-length" ? 1_000 : 100_000), "\(cell.seen)")
        case "trailers":
            expect(
                got.content == "content" && got.trailers == [["x-checksum", "abc"], ["grpc-status", "0"]],
                "\(got)"
            )
            expect(cell.seen.trailers == [["x-sent", "yes"]] && cell.seen.length == 5, "\(cell.seen)")
        case "interim": expect(got.interim == [100, 102, 103] && got.content == "final", "\(got)")
        case "large":
            expect(got.length == 3_072_000 && cell.seen.length == 3_072_000 && got.sha != cell.seen.sha, "\(got)")
        case "client-reset":
            expect(got.content == "begun", "\(got)")
            expect(cell.seen.reset == (cell.upstream == "h2" ? 8 : -1), "the upstream was not told: \(cell.seen)")
        case "upstream-reset":
            let code = cell.upstream == "h2" ? 11 : 2
            expect(got.ended != true && got.reset == (cell.client == "h2" ? code : -1), "not broken off: \(got)")
            expect(cell.client == "h1" || got.content == "begun", "\(got)")
        case "early":
            expect(got.content == "too much" && got.ended == true, "\(got)")
            expect(cell.seen.length == 1_000, "the rest of the request did not pass: \(cell.seen)")
        default: break
        }
        return found
    }

    /// What is wrong with the row.
    private func recordFaults(of cell: Matrix.Cell, _ record: RecordingSink.Ended) -> [String] {
        var found: [String] = []
        func expect(_ isTrue: Bool, _ what: String) { if !isTrue { found.append(what) } }
        let exchange = record.exchange
        expect(
            exchange.upstreamVersion == cell.upstreamVersion,
            "upstream version \(String(describing: exchange.upstreamVersion))"
        )
        expect((exchange.stream != nil) == (cell.client == "h2"), "stream \(exchange.stream ?? 0)")
        expect((exchange.upstreamStream != nil) == (cell.upstream == "h2"), "upstream stream")
        let failures = [
            "client-reset": "client deliver reset", "upstream-reset": "upstream receive reset",
            "upstream-reset-early": "upstream wait reset",
        ]
        expect(record.failure == failures[cell.case] ?? "none", "failure \(record.failure)")
        let early: Outcome = cell.case == "client-reset" ? .cancelled : .failed
        expect(exchange.outcome == (failures[cell.case] == nil ? .completed : early), "\(exchange.outcome)")
        if cell.case != "upstream-reset-early" {
            expect(
                Int64(cell.got.length) == exchange.response?.body.length || cell.case == "upstream-reset",
                "content length"
            )
            expect(exchange.code == cell.got.code, "code")
        } else {
            expect(exchange.code == nil, "a code without a response")
        }
        if cell.case == "interim" { expect(exchange.interim.count == 3, "\(exchange.interim.count) interim responses") }
        if cell.case == "trailers" {
            let sent = exchange.request.trailers.map { String(buffer: $0).lowercased() } ?? ""
            expect(sent == "x-sent: yes\r\n\r\n", "trailers \(sent)")
            expect(exchange.response?.trailers != nil, "no trailers of the response")
        }
        return found
    }
}
