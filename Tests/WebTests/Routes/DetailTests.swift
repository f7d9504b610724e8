import Foundation
import NIOCore
import Store
import Testing
import Traffic
import Web

@Suite("Copies, replays and certificates of an exchange, over the API", .timeLimit(.minutes(15)))
struct DetailTests {
    @Test("A refusal of an archive has no command that lifts it, and one of this proxy has")
    func refusals() async throws {
        try await RunningPage.with(configure: { $0.refusalWords = { "proxy --for '\($0.message)'" } }) { page in
            try await page.store.record(Recorded.refused())
            let archive = try await page.get("/api/v1/export?format=json").text
            let importing = try ArchiveImport(into: page.store, name: "a.json")
            try importing.write(Array(archive.utf8))
            #expect(try importing.finish().row?.count == 1)
            let own = try await page.get("/api/v1/exchanges/1").object()["remedy"] as? [String: Any]
            #expect((own?["command"] as? String)?.hasPrefix("proxy --for") == true)
            let imported = try await page.get("/api/v1/exchanges/2").object()
            #expect(imported["failure"] is [String: Any] && imported["remedy"] is NSNull)
            let exported = try await page.get("/api/v1/export?format=json").object()["exchanges"] as? [[String: Any]]
            #expect(exported?.map { $0["remedy"] is NSNull } == [false, true])
        }
    }

    @Test("A failed handshake of an archive is explained, without a command and without a host to pass through")
    func handshakes() async throws {
        try await RunningPage.with(configure: { $0.remedyWords = { "proxy \($0)" } }) { page in
            for cause in [Cause.unknownCA, .pinned] {
                var exchange = Recorded.refused()
                exchange.failure = ExchangeFailure(side: .client, phase: .tls, cause: cause, message: "No.")
                try await page.store.record(exchange)
            }
            let archive = try await page.get("/api/v1/export?format=json").text
            let importing = try ArchiveImport(into: page.store, name: "a.json")
            try importing.write(Array(archive.utf8))
            #expect(try importing.finish().row?.count == 2)
            var remedies: [[String: Any]] = []
            for id in 1...4 {
                let exchange = try await page.get("/api/v1/exchanges/\(id)").object()
                remedies.append(try #require(exchange["remedy"] as? [String: Any]))
            }
            let exported = try await page.get("/api/v1/export?format=json").object()["exchanges"] as? [[String: Any]]
            remedies += try #require(exported).compactMap { $0["remedy"] as? [String: Any] }
            #expect(remedies.count == 8 && remedies.allSatisfy { ($0["explanation"] as? String)?.isEmpty == false })
            let isBare = [false, false, true, true, false, false, true, true]
            #expect(remedies.map { $0["command"] is NSNull } == isBare)
            #expect(remedies.map { $0["passThrough"] is NSNull } == isBare)
        }
    }

    @Test("It is copied as curl and the other formats, without credentials where that is wanted")
    func copies() async throws {
        try await RunningPage.with { page in
            try await page.store.record(Recorded.rich(), response: Array("abc".utf8))
            for (format, words) in [
                ("curl", "curl --globoff"), ("httpie", "http"), ("python", "import "), ("javascript", "fetch("),
                ("swift", "URLRequest"),
                ("raw", "GET /a?q=caf%C3%A9&flag HTTP/1.1\r\nhost:"), ("har", "\"log\""),
            ] {
                let reply = try await page.get("/api/v1/exchanges/1/copy?format=\(format)")
                #expect(reply.status == 200 && reply.text.contains(words), "\(format): \(reply.text.prefix(200))")
                #expect(
                    reply["content-type"] == "text/plain; charset=utf-8"
                        && reply["content-disposition"]?.hasPrefix("attachment") == true
                )
                #expect(reply.text.contains("eyJzdWIiOiJzYW0ifQ"), "\(format)")
                let masked = try await page.get("/api/v1/exchanges/1/copy?format=\(format)&redact=1")
                #expect(masked.status == 200 && !masked.text.contains("eyJzdWIiOiJzYW0ifQ"), "\(format)")
            }
            for query in ["format=exe", "redact=2", "format=curl&redact=yes"] {
                #expect(try await page.get("/api/v1/exchanges/1/copy?\(query)").status == 400, "\(query)")
            }
            #expect(try await page.get("/api/v1/exchanges/2/copy").status == 404)
            var tunnel = Recorded.exchange(method: "CONNECT")
            tunnel.outcome = .tunnelled
            let id = try await page.store.record(tunnel)
            #expect(try await page.get("/api/v1/exchanges/\(id)/copy").status == 409)
        }
    }

    @Test(
        "Replays are found, also of an exchange whose original is gone, and certificates that cannot be read are empty"
    )
    func routes() async throws {
        try await RunningPage.with(configure: { $0.readCertificate = { $0 == [1, 2] ? Recorded.facts : nil } }) {
            page in
            try await page.store.record(Recorded.rich(), response: Array("abc".utf8))
            for offset in 1...3 {
                var replay = Recorded.exchange(offset: Int64(offset))
                replay.replayOf = offset == 3 ? 2 : 1
                try await page.store.record(replay)
            }
            let replays = try await page.get("/api/v1/exchanges/1/replays").object()
            #expect((replays["replays"] as? [[String: Any]])?.compactMap { $0["id"] as? Int } == [2, 3])
            #expect((replays["originals"] as? [Any])?.isEmpty == true && replays["truncated"] as? Bool == false)
            let last = try await page.get("/api/v1/exchanges/4/replays").object()
            #expect((last["originals"] as? [[String: Any]])?.first?["id"] as? Int == 2)
            #expect(try await page.get("/api/v1/exchanges/9/replays").status == 404)
            let shown =
                try await page.get("/api/v1/exchanges/1/certificates").object()["certificates"] as? [[String: Any]]
                ?? []
            #expect(shown.count == 2 && shown[0]["subject"] as? String == "CN=api.example.test" && shown[1].isEmpty)
            #expect(shown.first?["notAfter"] as? String == "2023-11-15T22:13:20.000Z")
            #expect(try await page.get("/api/v1/exchanges/2/certificates").text == "{\"certificates\":[]}\n")
        }
    }
}
