import Archive
import Foundation
import Testing
import Traffic

@Suite("Export, statistics, findings and comparisons over the API", .timeLimit(.minutes(15)))
struct AnalysisTests {
    private func fill(_ page: RunningPage) async throws {
        for (code, text) in [(200, #"{"count": 1}"#), (200, #"{"count": 2}"#), (500, #"{"error": "x"}"#)] {
            let body = Array(text.utf8)
            let fields = [("Content-Type", "application/json"), ("Set-Cookie", "session=canary-7731-secret")]
            var exchange = Recorded.exchange(code: code, fields: fields, length: body.count)
            exchange.response?.body.sha256 = Array(repeating: body.last { $0 != 0x7D } ?? 0, count: 32)
            try await page.store.record(exchange, response: body)
        }
    }

    @Test(
        "Every format is an attachment that draws nothing, with secrets masked unless it is said",
        arguments: ExportFormat.allCases
    )
    func exports(format: ExportFormat) async throws {
        try await RunningPage.with { page in
            try await fill(page)
            let reply = try await page.get("/api/v1/export?format=\(format.rawValue)&code=200")
            #expect(reply.status == 200 && reply["content-type"] == format.mediaType)
            #expect(reply["content-disposition"] == "attachment; filename=\"captures.\(format.fileExtension)\"")
            #expect(reply["content-security-policy"]?.contains("sandbox") == true)
            #expect(reply.text.contains("/v2/facilities/") && !reply.text.contains("canary-7731"))
            let open = try await page.get("/api/v1/export?format=\(format.rawValue)&code=200&redact=false")
            let hasAnswers = [.har, .json, .jsonl, .raw].contains(format)
            #expect(open.text.contains("canary-7731") == hasAnswers)
        }
    }

    @Test("A HAR has the entries of the filter; a table has a line for each; nothing selected is a file too")
    func selections() async throws {
        try await RunningPage.with { page in
            try await fill(page)
            let har = try await page.get("/api/v1/export?q=code:5xx").object()
            #expect(((har["log"] as? [String: Any])?["entries"] as? [Any])?.count == 1)
            let table = try await page.get("/api/v1/export?format=csv").text.components(separatedBy: "\r\n")
            #expect(
                table.count == 5 && table[0].hasPrefix("id,started,")
                    && table[1].hasPrefix("1,2026-11-20T14:02:03.456Z,25.8,GET")
            )
            let none = try await page.get("/api/v1/export?q=code:404").object()
            #expect(((none["log"] as? [String: Any])?["entries"] as? [Any])?.isEmpty == true)
            for query in ["format=xls", "redact=maybe", "all=1", "code=banana", "limit=3"] {
                #expect(try await page.get("/api/v1/export?\(query)").status == 400, "\(query)")
            }
        }
    }

    @Test("Statistics count by endpoint")
    func statistics() async throws {
        try await RunningPage.with { page in
            try await fill(page)
            let object = try await page.get("/api/v1/stats").object()
            #expect(object["count"] as? Int == 3 && object["succeeded"] as? Int == 2)
            #expect(object["failed"] as? Int == 0 && object["errorStatus"] as? Int == 1)
            let endpoints = try #require(object["endpoints"] as? [[String: Any]])
            #expect(endpoints.count == 1 && endpoints[0]["p50Ms"] as? Double == 25.8)
            #expect(try await page.get("/api/v1/stats?code=5xx").object()["count"] as? Int == 1)
            #expect(try await page.get("/api/v1/stats?limit=5").status == 400)
        }
    }

    /// An answer that breaks a rule of its lens: a list was asked for, and an error came with the status of success.
    private func recordBroken(_ page: RunningPage) async throws {
        let body = Array(#"{"detail": "Not found."}"#.utf8)
        var exchange = Recorded.exchange(
            host: "api.srct.gmu.edu",
            target: "/whatsopen/v2/facilities/?format=json",
            length: body.count
        )
        exchange.rules = [RuleUse(rule: "VM", phase: .requestHead, action: "request", what: "User-Agent")]
        try await page.store.record(exchange, response: body)
    }

    @Test("Findings come by rule, of the rules and the exchanges that are asked for")
    func findings() async throws {
        try await RunningPage.with { page in
            try await recordBroken(page)
            try await fill(page)
            let object = try await page.get("/api/v1/check").object()
            #expect(object["exchanges"] as? Int == 4 && object["query"] as? String == "all exchanges")
            let rules = try #require(object["rules"] as? [[String: Any]])
            #expect(rules.compactMap { $0["rule"] as? String } == ["WO-frozen"] && object["holds"] as? Bool == false)
            let single = try await page.get("/api/v1/exchanges/1/findings").object()["findings"] as? [[String: Any]]
            #expect(single?.compactMap { $0["rule"] as? String } == ["WO-frozen"])
            for (query, exchanges, broken) in [
                ("code=500", 1, 0), ("check=WO", 4, 1), ("check=WO-1,WO-frozen", 4, 1), ("check=VM", 4, 0),
                // The filter's category: exchanges by what the proxy's rules did with them.
                ("rule=VM", 1, 1), ("rule=none", 3, 0), ("rule=checkout+is+flaky", 0, 0), ("rule=VM&check=VM", 1, 0),
            ] {
                let narrowed = try await page.get("/api/v1/check?\(query)").object()
                #expect(narrowed["exchanges"] as? Int == exchanges, "\(query)")
                #expect((narrowed["rules"] as? [Any])?.count == broken, "\(query)")
            }
            for query in [
                "check=NOPE", "rule=WO-frozen", "rule=WO-33", "rule=WO-3,%20VM-1", "rule=wo-3,mine", "limit=1001",
                "strict=x",
                "colour=red",
            ] {
                #expect(try await page.get("/api/v1/check?\(query)").status == 400, "\(query)")
            }
        }
    }

    @Test("A rule of the running proxy that is named as a check's are is no mistake, though it has not applied yet")
    func ownRules() async throws {
        let rules = HeldRules([try HeldRules.block("WO-3")])
        try await RunningPage.with(control: ReplayRecorder(), rules: rules) { page in
            try await page.store.record(Recorded.exchange())
            let told = try await page.get("/api/v1/check?rule=wo-3").object()
            #expect(told["exchanges"] as? Int == 0)
            #expect(try await page.get("/api/v1/check?rule=WO-4").status == 400)
        }
    }

    @Test("Two exchanges are compared by their structure, two sets by place")
    func comparisons() async throws {
        try await RunningPage.with { page in
            try await fill(page)
            let pair = try await page.get("/api/v1/diff?left=1&right=2").object()
            #expect(pair["equal"] as? Bool == false && pair["changed"] as? Int == 1)
            let one = try #require((pair["comparisons"] as? [[String: Any]])?.first)
            #expect(one["left"] as? Int == 1 && one["right"] as? Int == 2)
            let text = try await page.get("/api/v1/diff?left=1&right=2").text
            #expect(text.contains("$.count") && one["verdict"] as? String == "changed")
            let noise = try await page.get("/api/v1/diff?left=1&right=2&ignore=json:$.count").object()
            #expect(noise["equal"] as? Bool == true)
            let sets = try await page.get("/api/v1/diff?left=id:1,2&right=id:1,3").object()
            #expect(sets["same"] as? Int == 1 && sets["changed"] as? Int == 1)
            #expect((sets["comparisons"] as? [Any])?.count == 1)
            let all = try await page.get("/api/v1/diff?left=id:1,2&right=id:1,3&same=true").object()
            #expect((all["comparisons"] as? [Any])?.count == 2)
            let removed = try await page.get("/api/v1/diff?left=id:1,2&right=code:404").object()
            #expect(removed["removed"] as? Int == 2 && removed["equal"] as? Bool == false)
            let ranges = try await page.get("/api/v1/diff?left=1..2&right=1,3&same=true").object()
            #expect((ranges["comparisons"] as? [Any])?.count == 2 && ranges["same"] as? Int == 1)
            for absent in ["left=1&right=99", "left=1..2&right=98..99"] {
                #expect(try await page.get("/api/v1/diff?\(absent)").status == 404)
            }
            for query in [
                "left=1", "left=1&right=codes:4", "left=1&right=2&limit=x", "left=1&right=2&ignore=nonsense",
                "left=1&right=2&q=x", "left=2..1&right=2", "left=0&right=1",
            ] {
                #expect(try await page.get("/api/v1/diff?\(query)").status == 400, "\(query)")
            }
            let many = [String](repeating: "1", count: 101).joined(separator: ",")
            let taught = try await page.get("/api/v1/diff?left=1&right=2&learn=\(many)")
            #expect(taught.status == 400 && taught.text.contains("learn names 101 replays; 100 are compared at most."))
        }
    }

    @Test("A comparison is summed up with what was learnt, held back, left out and passed over")
    func summedUp() async throws {
        try await RunningPage.with { page in
            for number in 1...3 {
                let body = Array(#"{"count": \#(number)}"#.utf8)
                var exchange = Recorded.exchange(length: body.count)
                exchange.response?.body.sha256 = Array(repeating: UInt8(number), count: 32)
                exchange.replayOf = number == 1 ? nil : 1
                try await page.store.record(exchange, response: body)
            }
            let taught = try await page.get("/api/v1/diff?left=1&right=2&learn=2,3").object()
            #expect(taught["equal"] as? Bool == true && taught["same"] as? Int == 1)
            #expect(taught["learnt"] as? [String: Int] == ["json:$.count": 1])
            #expect(taught["ignored"] as? [String: Int] == ["json:$.count": 1])
            #expect(taught["heldBack"] as? [String: Int] == [:] && taught["leftOut"] as? [String: Int] == [:])
            let plain = try await page.get("/api/v1/diff?left=1&right=2").object()
            #expect(plain["changed"] as? Int == 1 && plain["learnt"] as? [String: Int] == [:])
        }
    }

    @Test("Recording is paused and resumed; what passed meanwhile is counted as a gap, and a replay is refused")
    func pauses() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await fill(page)
            #expect(try await page.post("/api/v1/recording", #"{"paused": true}"#).object()["paused"] as? Bool == true)
            #expect(try await page.get("/api/v1/instance").object()["paused"] as? Bool == true)
            #expect(try await page.store.record(Recorded.exchange()) == 0)
            #expect(try await page.post("/api/v1/exchanges/1/replay").status == 409)
            let resumed = try await page.post("/api/v1/recording", #"{"paused": false}"#).object()
            #expect(resumed["paused"] as? Bool == false)
            let gap = try #require((resumed["gaps"] as? [[String: Any]])?.first)
            #expect(gap["kind"] as? String == "pause" && gap["count"] as? Int == 1)
            #expect(try await page.store.record(Recorded.exchange()) == 4)
            #expect(try await page.get("/api/v1/exchanges").object()["truncated"] as? Bool == true)
            #expect(try await page.post("/api/v1/recording", #"{"paused": 1}"#).status == 400)
        }
        try await RunningPage.with { page in
            let refused = try await page.post("/api/v1/recording", #"{"paused": true}"#)
            #expect(refused.status == 409)
        }
    }

    @Test("Exchanges that were recorded late are told as a gap of a kind of their own, and nothing is missing")
    func late() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await fill(page)
            let moments = Recorded.start...Recorded.start + 5_000_000
            try await page.store.record(
                late: LateSpell(count: 2, from: moments.lowerBound, to: moments.upperBound)
            )
            for address in ["recording", "instance", "store"] {
                let told = try await page.get("/api/v1/\(address)").object()
                let gaps = try #require(told["gaps"] as? [[String: Any]], "\(address)")
                #expect(gaps.map { $0["kind"] as? String } == ["late"] && gaps.map { $0["count"] as? Int } == [2])
                #expect(gaps.first?["from"] as? String == Timestamp.text(microseconds: moments.lowerBound))
                #expect(gaps.first?["to"] as? String == Timestamp.text(microseconds: moments.upperBound))
            }
            #expect(try await page.get("/api/v1/exchanges").object()["truncated"] as? Bool == false)
        }
    }
}
