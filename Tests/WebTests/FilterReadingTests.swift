import Foundation
import Testing
import Traffic

@testable import Web

@Suite("What a filter means, while it is typed", .timeLimit(.minutes(15)))
struct FilterReadingTests {
    private func read(_ items: String, saved: [SavedSearch] = []) throws -> [String: Any] {
        var json = JSONWriter()
        let reading = FilterReading(QueryItems(items), saved: saved, now: Date(timeIntervalSince1970: 0))
        json.object { reading.write(to: &$0) }
        return try #require(try JSONSerialization.jsonObject(with: Data(json.take())) as? [String: Any])
    }

    @Test("It is told as a sentence, as one query text, and term by term")
    func tells() throws {
        let told = try read("q=-host:a.test%20%22%F0%9F%A7%AD%22%20x&code=404,5xx")
        #expect(
            told["sentence"] as? String
                == "exchanges where the code is 404 or from 500 to 599 and the host is not a.test or under it and its URL, fields, bodies or messages contain \"🧭\" and its URL, fields, bodies or messages contain \"x\""
        )
        #expect(told["text"] as? String == "code:404,500-599 -host:a.test \"🧭\" \"x\"")
        let terms = try #require(told["terms"] as? [[String: Any]])
        #expect(terms.map { $0["text"] as? String } == ["-host:a.test", "\"🧭\"", "x"])
        #expect(terms.map { $0["from"] as? Int } == [0, 13, 18])
        #expect(terms.map { $0["to"] as? Int } == [12, 17, 19])
        #expect(terms.map { $0["negation"] as? String } == ["host:a.test", "-\"🧭\"", "-x"])
        #expect(terms[0]["facet"] as? String == "host" && terms[0]["negated"] as? Bool == true)
        #expect((terms[0]["parts"] as? [[String: String]]) == [["text": "a.test", "value": "a.test"]])
        #expect(told["error"] is NSNull)
    }

    @Test(
        "What cannot be read says why and where, counted as scripts count",
        arguments: [
            ("q=a%20code:4", 7), ("q=%22%F0%9F%A7%AD%22%20code:4", 10), ("q=(a", 0), ("q=x%20@none", 2),
            ("q=a%20%7C%7C%20b", 2), ("q=code!=200", 0),
            ("code=4", nil), ("since=x", nil),
            ("nonsense=1", nil),
        ] as [(String, Int?)]
    )
    func refuses(items: String, offset: Int?) throws {
        let told = try read(items)
        #expect((told["error"] as? String)?.isEmpty == false)
        #expect(told["offset"] as? Int == offset)
        #expect(told["sentence"] is NSNull && (told["terms"] as? [Any])?.isEmpty == true)
    }

    @Test("A saved search is one term by its name, with the meaning of what was saved")
    func expands() throws {
        let saved = [SavedSearch(name: "bad", query: "code:5xx or code:404")]
        let told = try read("q=-@bad%20x", saved: saved)
        let terms = try #require(told["terms"] as? [[String: Any]])
        #expect(terms.map { $0["text"] as? String } == ["-@bad", "x"])
        #expect(terms[0]["sentence"] as? String == "(the code is not from 500 to 599 and the code is not 404)")
        #expect(terms[0]["negation"] as? String == "@bad")
        #expect((told["text"] as? String)?.contains("@") == false)
    }

    @Test("The certificate is served as PEM and DER, and nothing else that its file may hold")
    func servesCertificate() async throws {
        let block = "-----BEGIN CERTIFICATE-----\nAQIDBAU=\n-----END CERTIFICATE-----\n"
        let key = "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n"
        let held = key + block.replacing("AQID", with: "AQID\r\n") + key
        try await RunningPage.with(inform: { $0.caPEM = held }) { page in
            let pem = try await page.get("/api/v1/ca.pem")
            #expect(pem.status == 200 && String(decoding: pem.body, as: UTF8.self) == block)
            #expect(pem["content-disposition"] == "attachment; filename=\"inspect-root.pem\"")
            let der = try await page.get("/api/v1/ca.der")
            #expect(der.body == [1, 2, 3, 4, 5] && der["content-type"] == "application/x-x509-ca-cert")
        }
        try await RunningPage.with(inform: { $0.caPEM = key }) { page in
            for form in ["pem", "der"] {
                let reply = try await page.get("/api/v1/ca.\(form)")
                #expect(reply.status == 404)
            }
        }
    }
}
