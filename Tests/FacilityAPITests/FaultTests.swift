import FacilityAPI
import Testing

@Suite(.timeLimit(.minutes(15))) struct FaultTests {
    @Test(
        "X-Fault makes one request fail in the words of its API",
        arguments: [
            ("/api/facilities/", "500", 500, "text/html", "<h1>Server Error (500)</h1>", nil),
            ("/api/facilities/", "429", 429, "application/json", "Request was throttled.", "60"),
            ("/api/facilities/", "503", 503, "text/html", "503 Service", "30"),
            ("/entrypoint.php?query", "500", 500, "text/html", "500 Internal", nil),
            ("/api/3/action/tag_list?", "429", 429, "text/html", "429 Too Many", "60"),
            (
                "/database/1/x/production/public/records/query", "503", 503, "application/json; charset=UTF-8",
                #""serverErrorCode":"TRY_AGAIN_LATER""#, "30"
            ),
            ("/api/facilities/nowhere/", "html404", 404, "text/html", "404 Not Found", nil),
            ("/api/facilities/", "boom", 400, "text/plain; charset=utf-8", "X-Fault: fault 'boom'", nil),
        ] as [(String, String, Int, String, String, String?)]
    )
    func onDemand(
        target: String,
        fault: String,
        status: Int,
        type: String,
        text: String,
        retryAfter: String?
    ) async throws {
        try await Stand().session { ask in
            let reply = try await ask(target, "GET", ["X-Fault": fault], nil)
            #expect(reply.status == status)
            #expect(reply.header("Content-Type") == type)
            #expect(reply.body.contains(text))
            #expect(reply.header("Retry-After") == retryAfter)
            #expect(try await ask("/api/alerts/", "GET", [:], nil).status == 200)
        }
    }

    @Test(
        "A status on demand is in the words of its API",
        arguments: [
            ("/api/alerts/", "403", 403, "You do not have permission"), ("/api/alerts/", "406", 406, "Accept header"),
            ("/api/alerts/", "415", 415, "Unsupported media type"), ("/api/alerts/", "502", 502, "502 Bad Gateway"),
            ("/entrypoint.php?query", "400", 400, "INVALID IDS"), ("/entrypoint.php?query", "418", 418, "🫖"),
            ("/api/3/action/tag_list", "409", 409, #""success":false,"error":{"limit":["Must be a natural number"]"#),
            ("/api/3/action/tag_list", "403", 403, "Authorization Error"),
            ("/api/3/action/tag_list", "404", 404, #""__type":"Not Found Error""#),
            ("/nm/notices.json", "412", 412, "412 Precondition Failed"),
            ("/database/1/x", "413", 413, "QUOTA_EXCEEDED"), ("/database/1/x", "421", 421, "AUTHENTICATION_REQUIRED"),
            ("/database/1/x", "412", 412, "VALIDATING_REFERENCE_ERROR"),
            ("/api/alerts/", "THROTTLED", 429, "throttled"),
            ("/api/3/action/tag_list", "success-false", 200, #""success":false"#),
            ("/entrypoint.php?query&type=-1", "empty", 200, #"{"meta":{"total":0},"meetings":[]}"#),
        ]
    )
    func statuses(target: String, fault: String, status: Int, text: String) async throws {
        let reply = try await Stand().ask(target, headers: ["X-Fault": fault])
        #expect(reply.status == status)
        #expect(reply.body.contains(text), "\(reply.body)")
    }

    @Test("A 200 can have failed inside, or be no JSON")
    func spoiled() async throws {
        let query = "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records/query?ckAPIToken=t"
        let body = #"{"query":{"recordType":"DiningDay"}}"#
        let reply = try await Stand().ask(query, "POST", headers: ["X-Fault": "record-error"], body: body)
        let records = try #require(try reply.json["records"]?.elements)
        #expect(reply.status == 200 && records.count == 9)
        #expect(records[0]["serverErrorCode"] == "INTERNAL_ERROR" && records[1]["serverErrorCode"] == nil)
        let broken = try await Stand().ask("/api/alerts/", headers: ["X-Fault": "bad-json"])
        #expect(broken.status == 200 && (try? broken.json) == nil)
    }

    @Test(
        "What a real server may do to data is done on demand: ids as an object, a place the wrong way round, a slug twice"
    )
    func odd() async throws {
        func asked(_ target: String, _ fault: String?) async throws -> JSON {
            try await Stand().ask(target, headers: fault.map { ["X-Fault": $0] } ?? [:]).json
        }
        #expect(try await asked("/entrypoint.php?info", nil)["server_ids"] == [99, 122, 140])
        let info = try await Stand().ask("/entrypoint.php?info", headers: ["X-Fault": "object-ids"])
        #expect(info.body.contains(#""server_ids":{"2":99,"1":122,"0":140},"services""#))
        for (target, isFacility) in [("/api/facilities/", true), ("/api/locations/", false)] {
            func point(_ fault: String?) async throws -> JSON? {
                let first = try await asked(target, fault).elements?.first
                return (isFacility ? first?["facility_location"] : first)?["coordinate_location"]?["coordinates"]
            }
            let (right, wrong) = (try await point(nil)?.elements, try await point("swapped-place")?.elements)
            #expect(right?.count == 2 && right?.reversed() == wrong)
        }
        let facilities = try #require(try await asked("/api/facilities/", "twin-slugs,swapped-place").elements)
        #expect(facilities.first?["slug"] == facilities.last?["slug"])
        #expect(Set(facilities.compactMap { $0["slug"]?.text }).count == facilities.count - 1)
        #expect(try await asked("/api/facilities/late-slice/", "twin-slugs")["slug"] == "late-slice")
    }

    @Test("A plan hits about as often as asked, the same again for the same seed, and otherwise for another")
    func plan() async throws {
        func statuses(_ seed: UInt64) async throws -> [Int] {
            let stand = Stand(faults: try FaultPlan(parsing: "500:0.2,429:0.3"), seed: seed)
            return try await stand.session { ask in
                var statuses: [Int] = []
                for _ in 0..<300 { statuses.append(try await ask("/api/categories/", "GET", [:], nil).status) }
                return statuses
            }
        }
        let first = try await statuses(42)
        #expect(Set(first) == [200, 429, 500])
        #expect((40...80).contains(first.count { $0 == 500 }) && (50...95).contains(first.count { $0 == 429 }))
        #expect(try await statuses(42) == first)
        #expect(try await statuses(43) != first)
    }

    @Test("nullspecial takes the dates from every special, and only from specials")
    func nullSpecial() async throws {
        let stand = Stand(faults: try FaultPlan(parsing: "nullspecial"))
        let specials = try #require(try await stand.ask("/api/facilities/").json.elements)
            .flatMap { $0["special_schedules"]?.elements ?? [] }
        #expect(specials.count >= 4)
        #expect(specials.allSatisfy { $0["valid_start"] == .null && $0["valid_end"] == .null })
        #expect(try await stand.ask("/api/schedules/").body.contains(#""valid_start":"2026"#))
    }

    @Test("A slow answer takes at least as long as asked")
    func slow() async throws {
        let started = ContinuousClock.now
        let reply = try await Stand().ask("/api/alerts/", headers: ["X-Fault": "slow:120ms"])
        #expect(reply.status == 200)
        #expect(started.duration(to: .now) >= .milliseconds(120))
    }
}
