import Foundation
import Testing

/// The web services' writes, changes and refusals.
@Suite(.timeLimit(.minutes(15))) struct CloudKitTests {
    private static let base = "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records"
    private static let user = "?ckAPIToken=t&ckWebAuthToken=u"

    @Test("A signed-in user creates, updates and deletes a record; who has an old tag gets a conflict")
    func modify() async throws {
        try await Stand().session { ask in
            func modify(_ operation: String) async throws -> JSON {
                let reply = try await ask(
                    "\(Self.base)/modify\(Self.user)",
                    "POST",
                    [:],
                    #"{"operations":[\#(operation)]}"#
                )
                #expect(reply.status == 200)
                return try reply.json["records"]?.elements?.first ?? .null
            }
            let fields = #""fields":{"Day":{"value":1,"type":"TIMESTAMP"}}"#
            let made = try await modify(
                #"{"operationType":"create","record":{"recordName":"n","recordType":"DiningDay",\#(fields)}}"#
            )
            #expect(made["fields"]?["Day"]?["value"] == 1)
            let tag = try #require(made["recordChangeTag"]?.text)
            let again = try await modify(
                #"{"operationType":"create","record":{"recordName":"n","recordType":"DiningDay"}}"#
            )
            #expect(again["serverErrorCode"] == "EXISTS")
            let update = #""record":{"recordName":"n","fields":{"Day":{"value":2}}"#
            let changed = try await modify(#"{"operationType":"update",\#(update),"recordChangeTag":"\#(tag)"}}"#)
            #expect(changed["fields"]?["Day"]?["value"] == 2)
            let stale = try await modify(#"{"operationType":"update",\#(update),"recordChangeTag":"\#(tag)"}}"#)
            #expect(stale["serverErrorCode"] == "CONFLICT")
            let gone = try await modify(#"{"operationType":"forceDelete","record":{"recordName":"n"}}"#)
            #expect(gone["deleted"] == true)
            let missing = try await modify(#"{"operationType":"delete","record":{"recordName":"n"}}"#)
            #expect(missing["serverErrorCode"] == "NOT_FOUND")
            let dangling = try await modify(
                #"{"operationType":"create","record":{"recordName":"r","recordType":"DiningDay","fields":{"to":{"value":{"recordName":"n"},"type":"REFERENCE"}}}}"#
            )
            #expect(dangling["serverErrorCode"] == "VALIDATING_REFERENCE_ERROR")
        }
    }

    @Test("Atomic operations are done all or none")
    func atomic() async throws {
        try await Stand().session { ask in
            let body =
                #"{"atomic":true,"operations":[{"operationType":"forceDelete","record":{"recordName":"quick"}},"#
                + #"{"operationType":"delete","record":{"recordName":"none"}}]}"#
            let reply = try await ask("\(Self.base)/modify\(Self.user)", "POST", [:], body)
            #expect(reply.status == 400 && reply.body.contains(#""serverErrorCode":"ATOMIC_ERROR""#))
            let lookup = #"{"records":[{"recordName":"quick"}]}"#
            #expect(try await ask("\(Self.base)/lookup?ckAPIToken=t", "POST", [:], lookup).body.contains("QuickMenu"))
        }
    }

    @Test("Changes since a token are those made since")
    func changes() async throws {
        try await Stand().session { ask in
            let all = try await ask("\(Self.base)/changes?ckAPIToken=t", "POST", [:], "{}").json
            #expect(all["records"]?.elements?.count == 10 && all["moreComing"] == false)
            let token = try #require(all["syncToken"]?.text)
            let body = #"{"operations":[{"operationType":"forceDelete","record":{"recordName":"quick"}}]}"#
            _ = try await ask("\(Self.base)/modify\(Self.user)", "POST", [:], body)
            let since = try await ask("\(Self.base)/changes?ckAPIToken=t", "POST", [:], #"{"syncToken":"\#(token)"}"#)
                .json
            #expect(since["records"]?.elements?.count == 1)
            #expect(since["records"]?.elements?.first?["recordName"] == "quick")
            #expect(since["records"]?.elements?.first?["deleted"] == true)
        }
    }

    @Test(
        "Every code is to be had on demand, with its status",
        arguments: [
            ("ACCESS_DENIED", 403), ("ATOMIC_ERROR", 400), ("AUTHENTICATION_FAILED", 401),
            ("AUTHENTICATION_REQUIRED", 421), ("BAD_REQUEST", 400), ("CONFLICT", 409), ("EXISTS", 409),
            ("INTERNAL_ERROR", 500), ("NOT_FOUND", 404), ("QUOTA_EXCEEDED", 413), ("THROTTLED", 429),
            ("TRY_AGAIN_LATER", 503), ("VALIDATING_REFERENCE_ERROR", 412), ("ZONE_NOT_FOUND", 404),
        ]
    )
    func onDemand(code: String, status: Int) async throws {
        let reply = try await Stand().ask("\(Self.base)/query", "POST", headers: ["X-Fault": code], body: "{}")
        #expect(reply.status == status)
        #expect(try reply.json["serverErrorCode"] == .string(code))
        #expect((try reply.json["retryAfter"] == 30) == ["THROTTLED", "TRY_AGAIN_LATER"].contains(code))
    }

    @Test(
        "A query that will not do is refused with the reason",
        arguments: [
            (#"{"query":{"recordType":"DiningDay","sortBy":[{"fieldName":"Data"}]}}"#, "not marked sortable"),
            (#"{"query":{"recordType":"DiningDay"},"resultsLimit":0}"#, "resultsLimit"),
            (#"{"query":{"recordType":"DiningDay"},"continuationMarker":"?"}"#, "continuationMarker"),
            (
                #"{"query":{"recordType":"DiningDay","filterBy":[{"fieldName":"Day","comparator":"NEAR","fieldValue":{"value":1}}]}}"#,
                "Unknown comparator NEAR"
            ),
            (
                #"{"query":{"recordType":"DiningDay","filterBy":[{"fieldName":"Data","comparator":"EQUALS","fieldValue":{"value":1}}]}}"#,
                "not marked queryable"
            ),
        ]
    )
    func refusals(body: String, reason: String) async throws {
        let reply = try await Stand().ask("\(Self.base)/query?ckAPIToken=t", "POST", body: body)
        #expect(reply.status == 400 && reply.body.contains(reason))
        #expect(reply.body.contains(#""serverErrorCode":"BAD_REQUEST""#))
    }

    @Test("A token that has expired is refused, and a server's key does without one")
    func tokens() async throws {
        let body = #"{"query":{"recordType":"QuickMenu"}}"#
        #expect(try await Stand().ask("\(Self.base)/query?ckAPIToken=expired", "POST", body: body).status == 401)
        let signed = ["X-Apple-CloudKit-Request-KeyID": "k"]
        #expect(try await Stand().ask("\(Self.base)/query", "POST", headers: signed, body: body).status == 200)
    }

    @Test(
        "In development the last days hold what the client crashes on: an unknown hall and type, a measure that is none, a day twice"
    )
    func oddDays() async throws {
        let body = #"{"query":{"recordType":"DiningDay"}}"#
        let base = Self.base.replacing("production", with: "development")
        let records = try #require(
            try await Stand().ask("\(base)/query?ckAPIToken=t", "POST", body: body).json["records"]?.elements
        )
        let menus = try records.map { record -> String in
            let data = try #require(record["fields"]?["Data"]?["value"]?.text.flatMap { Data(base64Encoded: $0) })
            return String(decoding: data, as: UTF8.self)
        }
        #expect(menus.count == 10)
        #expect(menus.prefix(6).allSatisfy { !$0.contains("Epicuria") && !$0.contains("Pescatarian") })
        #expect(
            menus[6].contains("Epicuria") && menus[7].contains("Pescatarian")
                && menus[7].contains(#""Saturated Fat":"<1""#)
        )
        #expect(menus.filter { $0.hasPrefix(#"{"date":"22.09.26""#) }.count == 1)
        #expect(records[8]["fields"]?["Day"]?["value"] == records[9]["fields"]?["Day"]?["value"])
    }
}
