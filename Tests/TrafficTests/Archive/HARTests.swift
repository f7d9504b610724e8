import Archive
import Foundation
import NIOCore
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct HARTests {
    /// The file of some samples.
    private static func file(_ samples: [SampleExchange], scope: HAR.Scope = .ended) throws -> [UInt8] {
        var file: [UInt8] = []
        var rest = samples[...]
        var current: SampleExchange?
        try HAR.write(
            creatorVersion: "1",
            scope: scope,
            source: { current?.source($0, $1, $2, $3) ?? [] },
            next: {
                current = rest.popFirst()
                return current?.record
            },
            to: { file += $0 }
        )
        return file
    }

    /// Writes samples and reads the file back with Foundation's parser.
    private static func entries(_ samples: [SampleExchange], scope: HAR.Scope = .ended) throws -> [[String: Any]] {
        let file = Data(try file(samples, scope: scope))
        let root = try #require(try JSONSerialization.jsonObject(with: file) as? [String: Any])
        let log = try #require(root["log"] as? [String: Any])
        #expect(log["version"] as? String == "1.2")
        #expect((log["pages"] as? [Any])?.isEmpty == true)
        #expect((log["creator"] as? [String: Any])?["name"] as? String == "inspect")
        let entries = try #require(log["entries"] as? [[String: Any]])
        for entry in entries { try expectValid(entry) }
        return entries
    }

    /// Holds an entry to HAR 1.2 and to what Chrome's importer asks: it refuses a whole file for one missing number.
    private static func expectValid(_ entry: [String: Any]) throws {
        let request = try #require(entry["request"] as? [String: Any])
        let response = try #require(entry["response"] as? [String: Any])
        let content = try #require(response["content"] as? [String: Any])
        let timings = try #require(entry["timings"] as? [String: Any])
        #expect(entry["cache"] is [String: Any])
        let numbers: [([String: Any], [String])] = [
            (entry, ["time"]), (request, ["headersSize", "bodySize"]),
            (response, ["status", "headersSize", "bodySize"]),
            (content, ["size"]), (timings, ["blocked", "dns", "connect", "ssl", "send", "wait", "receive"]),
        ]
        for (object, names) in numbers {
            for name in names { #expect(object[name] is NSNumber, "\(name) is no number") }
        }
        let strings: [([String: Any], [String])] = [
            (entry, ["startedDateTime"]), (request, ["method", "url", "httpVersion"]),
            (response, ["statusText", "httpVersion", "redirectURL"]), (content, ["mimeType"]),
        ]
        for (object, names) in strings {
            for name in names { #expect(object[name] is String, "\(name) is no string") }
        }
        for object in [request, response] {
            #expect(object["cookies"] is [Any])
            let headers = try #require(object["headers"] as? [[String: Any]])
            #expect(headers.allSatisfy { $0["name"] is String && $0["value"] is String })
        }
        let url = try #require(request["url"] as? String)
        #expect(URL(string: url)?.scheme != nil && !url.contains("#"))
        func milliseconds(_ name: String) -> Double { max(0, (timings[name] as? NSNumber)?.doubleValue ?? .nan) }
        let sum = ["blocked", "dns", "connect", "send", "wait", "receive"].map(milliseconds).reduce(0, +)
        #expect(abs(sum - ((entry["time"] as? NSNumber)?.doubleValue ?? -1)) < 0.0005)
        #expect(milliseconds("ssl") <= milliseconds("connect"))
        for name in ["send", "wait", "receive"] { #expect((timings[name] as? NSNumber)?.doubleValue ?? -1 >= 0) }
        if let connection = entry["connection"] { #expect(connection is String) }
    }

    @Test("Time is the sum of the phases, TLS counted inside connect")
    func sumsPhases() throws {
        let entry = try Self.entries([SampleExchange()])[0]
        let timings = try #require(entry["timings"] as? [String: Double])
        #expect(
            timings == [
                "blocked": 0.1, "dns": 1.2, "connect": 8.5, "ssl": 5.5, "send": 0.04, "wait": 2, "receive": 0.56,
            ]
        )
        #expect(entry["time"] as? Double == 12.4)
        #expect(entry["serverIPAddress"] as? String == "2001:db8::1")
        #expect(entry["connection"] as? String == "9")
        #expect(entry["startedDateTime"] as? String == "2025-11-20T14:02:03.456Z")
    }

    @Test("Phases that did not happen are -1")
    func marksAbsentPhases() throws {
        var sample = SampleExchange()
        (sample.exchange.timeline.dns, sample.exchange.timeline.connect, sample.exchange.timeline.tls) = (nil, nil, nil)
        let timings = try #require(try Self.entries([sample])[0]["timings"] as? [String: Double])
        #expect(timings["dns"] == -1 && timings["connect"] == -1 && timings["ssl"] == -1)
    }

    @Test("Content is decoded: its size, its text and what coding saved")
    func decodesContent() throws {
        let body = try Coded.zlib("gzip", Coded.text)
        let head = "HTTP/1.1 200 Fine by me\nContent-Type: text/plain; charset=utf-8\nContent-Encoding: gzip\n\n"
        let response = try #require(
            try Self.entries([SampleExchange(response: head, responseBody: body)])[0]["response"] as? [String: Any]
        )
        let content = try #require(response["content"] as? [String: Any])
        #expect(content["size"] as? Int == Coded.text.count)
        #expect(content["compression"] as? Int == Coded.text.count - body.count)
        #expect(content["text"] as? String == String(decoding: Coded.text, as: UTF8.self))
        #expect(content["encoding"] == nil)
        #expect(response["bodySize"] as? Int == body.count)
        #expect(response["statusText"] as? String == "Fine by me")
    }

    @Test("Bytes that are no text are base64")
    func encodesBinary() throws {
        let body: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0xFF, 0x00]
        let response = try #require(
            try Self.entries([
                SampleExchange(response: "HTTP/1.1 200 OK\nContent-Type: image/png\n\n", responseBody: body)
            ])[0]["response"]
                as? [String: Any]
        )
        let content = try #require(response["content"] as? [String: Any])
        #expect(content["encoding"] as? String == "base64")
        #expect(content["text"] as? String == Data(body).base64EncodedString())
    }

    @Test("A damaged coding keeps what could be read and says so")
    func keepsDamaged() throws {
        let body = Array(try Coded.zlib("gzip", Coded.text).dropLast(20))
        let head = "HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Encoding: gzip\n\n"
        let response = try #require(
            try Self.entries([SampleExchange(response: head, responseBody: body)])[0]["response"] as? [String: Any]
        )
        let content = try #require(response["content"] as? [String: Any])
        #expect((content["comment"] as? String)?.contains("ends early") == true)
        #expect(content["compression"] == nil)
    }

    @Test("A form's body is text, and a binary one is told as base64 in both ways")
    func writesRequestBodies() throws {
        let form = SampleExchange(
            head: "POST /a HTTP/1.1\nContent-Type: application/x-www-form-urlencoded\n\n",
            requestBody: Array("a=1&b=2".utf8)
        )
        let binary = SampleExchange(
            head: "POST /a HTTP/1.1\nContent-Type: application/octet-stream\n\n",
            requestBody: [0xFF, 0xFE, 0x00]
        )
        let requests = try Self.entries([form, binary]).compactMap { $0["request"] as? [String: Any] }
        let post = try #require(requests[0]["postData"] as? [String: Any])
        #expect(post["text"] as? String == "a=1&b=2")
        #expect(post["params"] == nil && post["encoding"] == nil && requests[0]["_content"] == nil)
        let bytes = try #require(requests[1]["postData"] as? [String: Any])
        #expect(bytes["encoding"] as? String == "base64" && bytes["text"] as? String == "//4A")
        let content = try #require(requests[1]["_content"] as? [String: Any])
        #expect(
            content["size"] as? Int == 3 && content["encoding"] as? String == "base64"
                && content["text"] as? String == "//4A"
        )
    }

    @Test("A long request body that is no text stands once in its entry, and comes back")
    func writesLongRequestBodies() throws {
        let body = [UInt8](repeating: 0xFF, count: 4 << 20 + 1)
        let sample = SampleExchange(
            head: "POST /a HTTP/1.1\nContent-Type: application/octet-stream\n\n",
            requestBody: body
        )
        let file = try Self.file([sample])
        // As base64 it is a third longer.
        #expect(file.count > body.count / 3 * 4 && file.count < body.count * 2)
        var found: [ImportedExchange] = []
        var reader = ArchiveReader(digest: { _ in [UInt8](repeating: 0xAB, count: 32) })
        try reader.write(file) { found.append($0) }
        try reader.finish { found.append($0) }
        #expect(reader.report.leftOut == [] && found.count == 1)
        #expect(found.first.map { Array($0.requestBody.readableBytesView) } == body)
    }

    @Test("An unanswered request has status 0, an error and numbers all the same")
    func writesUnanswered() throws {
        var sample = SampleExchange(response: nil, code: nil)
        sample.exchange.outcome = .failed
        sample.exchange.failure = ExchangeFailure(
            side: .upstream,
            phase: .dns,
            cause: .unknownName,
            message: "Nobody knows the name."
        )
        let entry = try Self.entries([sample])[0]
        let response = try #require(entry["response"] as? [String: Any])
        #expect(response["status"] as? Int == 0)
        #expect(response["_error"] as? String == "Nobody knows the name.")
        #expect((response["content"] as? [String: Any])?["mimeType"] as? String == "x-unknown")
        #expect(entry["_outcome"] as? String == "failed")
    }

    @Test("A cancelled exchange is an entry, which says so and how far it had come")
    func writesCancelled() throws {
        var sample = SampleExchange()
        sample.exchange.outcome = .cancelled
        sample.exchange.failure = ExchangeFailure(side: .client, phase: .deliver, cause: .closed, message: "It left.")
        let entry = try Self.entries([sample])[0]
        let response = try #require(entry["response"] as? [String: Any])
        #expect(response["status"] as? Int == 200 && response["_error"] as? String == "It left.")
        #expect(entry["_outcome"] as? String == "cancelled")
    }

    @Test("Pending and tunnelled exchanges are left out, unless all are asked for: then with status 0")
    func choosesScope() throws {
        var pending = SampleExchange(2)
        pending.exchange.outcome = .pending
        var tunnel = SampleExchange(
            3,
            head: "CONNECT api.example.test:443 HTTP/1.1\n\n",
            target: "api.example.test:443",
            scheme: nil,
            response: nil,
            code: nil
        )
        tunnel.exchange.outcome = .tunnelled
        let samples = [SampleExchange(1), pending, tunnel]
        #expect(try Self.entries(samples).map { $0["_id"] as? Int } == [1])
        let all = try Self.entries(samples, scope: .all)
        #expect(all.map { $0["_outcome"] as? String } == [nil, "pending", "tunnelled"])
        #expect(all.map { ($0["response"] as? [String: Any])?["status"] as? Int } == [200, 0, 0])
    }

    @Test("Order, case and duplicates of header fields are kept")
    func keepsHeaders() throws {
        let head =
            "HTTP/1.1 200 OK\nX-b: 1\nSet-Cookie: a=1; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly; Secure; SameSite=Lax\nx-B: 2\nSet-Cookie: b=2\n\n"
        let response = try #require(try Self.entries([SampleExchange(response: head)])[0]["response"] as? [String: Any])
        let headers = try #require(response["headers"] as? [[String: String]])
        #expect(headers.map { $0["name"] } == ["X-b", "Set-Cookie", "x-B", "Set-Cookie"])
        let cookies = try #require(response["cookies"] as? [[String: Any]])
        #expect(cookies.map { $0["name"] as? String } == ["a", "b"])
        #expect(cookies[0]["expires"] as? String == "2026-10-21T07:28:00.000Z")
        #expect(cookies[0]["httpOnly"] as? Bool == true && cookies[0]["secure"] as? Bool == true)
        #expect(cookies[0]["path"] as? String == "/" && cookies[0]["_sameSite"] as? String == "Lax")
    }

    @Test("A URL stays as sent where it is one, without fragment; what no URL may hold is escaped and kept beside")
    func writesURLs() throws {
        func request(_ target: String) throws -> [String: Any] {
            let entry = try Self.entries([SampleExchange(target: target)])[0]
            var request = try #require(entry["request"] as? [String: Any])
            request["_target"] = entry["_target"]
            return request
        }
        let plain = try request("/p?query&type=-1&ids=(99,10),(1)+x&q=%22a%22#frag")
        #expect(plain["url"] as? String == "https://api.example.test/p?query&type=-1&ids=(99,10),(1)+x&q=%22a%22")
        let items = try #require(plain["queryString"] as? [[String: String]])
        #expect(items.map { $0["name"] } == ["query", "type", "ids", "q"])
        #expect(items.map { $0["value"] } == ["", "-1", "(99,10),(1) x", "\"a\""])
        let odd = try request("/a|b\"é")
        #expect(odd["url"] as? String == "https://api.example.test/a%7Cb%22%C3%A9")
        #expect(odd["_target"] as? String == "/a|b\"é")
    }

    @Test("A body that the store cut is marked")
    func marksTruncated() throws {
        var sample = SampleExchange(responseBody: Array("hello".utf8))
        sample.exchange.response?.body.length = 500
        let response = try #require(try Self.entries([sample])[0]["response"] as? [String: Any])
        let content = try #require(response["content"] as? [String: Any])
        #expect((content["comment"] as? String)?.contains("5 of 500") == true)
        #expect(content["text"] as? String == "hello")
    }

    @Test("An entry with a large body is handed on in pieces")
    func streams() throws {
        let sample = SampleExchange(responseBody: [UInt8](repeating: 0x61, count: 3 << 20))
        var largest = 0
        var total = 0
        var isGiven = false
        try HAR.write(
            creatorVersion: "1",
            scope: .ended,
            source: sample.source,
            next: {
                defer { isGiven = true }
                return isGiven ? nil : sample.record
            },
            to: {
                largest = max(largest, $0.count)
                total += $0.count
            }
        )
        #expect(total > 3 << 20)
        #expect(largest < 256 << 10)
    }
}
