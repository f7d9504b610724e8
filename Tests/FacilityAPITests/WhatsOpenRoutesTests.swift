import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct WhatsOpenRoutesTests {
    @Test(
        "Each path answers with its status and, where it redirects, its place",
        arguments: [
            ("/", 302, "/api"), ("/api", 301, "/api/"), ("/whatsopen/v2", 301, "/whatsopen/v2/"),
            ("/api/", 200, nil), ("/whatsopen/v2/", 200, nil), ("/api/facilities", 301, "/api/facilities/"),
            ("/whatsopen/v2/facilities?format=json&x", 301, "/whatsopen/v2/facilities/?format=json&x"),
            ("/whatsopen/v2/facilities/?", 200, nil), ("/api/facilities.json", 200, nil),
            ("/api/facilities.json/", 200, nil), ("/api/facilities.xml", 404, nil),
            ("/api/facilities/?format=xml", 404, nil), ("/api/facilities/dukes-donuts/", 200, nil),
            ("/api/facilities/dukes-donuts.json", 200, nil),
            ("/api/facilities/dukes-donuts", 301, "/api/facilities/dukes-donuts/"),
            ("/api/facilities/nowhere/", 404, nil), ("/api/alerts/", 200, nil), ("/api/alerts/12/", 200, nil),
            ("/api/alerts/15/", 404, nil), ("/api/alerts/15/?all_alerts", 200, nil), ("/api/alerts/x/", 404, nil),
            ("/api/categories/", 200, nil), ("/api/categories/4/", 200, nil), ("/api/locations/", 200, nil),
            ("/api/locations/3/", 200, nil), ("/api/schedules/", 200, nil), ("/api/schedules/200/", 200, nil),
            ("/api/schedules/9999999999999999999999/", 404, nil), ("/api/nothing/", 404, nil),
            ("/whatsopen/v1/facilities/", 404, nil), ("/api/facilities/a/b/", 404, nil), ("/api//", 404, nil),
            ("/api/%ff/", 404, nil), ("/api/facilities/%00/", 404, nil), ("/whatever", 404, nil),
            ("http://api.campus.example/api/alerts/", 200, nil), ("*", 400, nil),
        ] as [(String, Int, String?)]
    )
    func paths(target: String, status: Int, location: String?) async throws {
        let reply = try await Stand().ask(target)
        #expect(reply.status == status)
        #expect(reply.header("Location") == location)
    }

    @Test("The root lists the resources under the base and host that were asked")
    func root() async throws {
        let reply = try await Stand().ask("/whatsopen/v2/", headers: ["Accept": "application/json"])
        #expect(
            reply.body == #"{"alerts":"http://localhost/whatsopen/v2/alerts/","#
                + #""categories":"http://localhost/whatsopen/v2/categories/","#
                + #""facilities":"http://localhost/whatsopen/v2/facilities/","#
                + #""locations":"http://localhost/whatsopen/v2/locations/","#
                + #""schedules":"http://localhost/whatsopen/v2/schedules/"}"#
        )
    }

    @Test("A list carries the framework's fields")
    func fields() async throws {
        let reply = try await Stand().ask("/api/facilities/")
        #expect(reply.header("Content-Type") == "application/json")
        #expect(reply.header("Allow") == "GET, HEAD, OPTIONS")
        #expect(reply.header("Vary") == "Accept, Cookie")
        #expect(reply.header("X-Frame-Options") == "SAMEORIGIN")
        #expect(reply.header("Content-Length") == String(reply.body.utf8.count))
    }

    @Test("HEAD has the fields of GET and no body")
    func head() async throws {
        try await Stand().session { ask in
            let get = try await ask("/whatsopen/v2/facilities/?format=json", "GET", [:], nil)
            let head = try await ask("/whatsopen/v2/facilities/?format=json", "HEAD", [:], nil)
            #expect(head.status == 200 && head.body.isEmpty)
            #expect(head.headers == get.headers)
        }
    }

    @Test(
        "OPTIONS describes the view",
        arguments: [("facilities/", "Facility List"), ("alerts/11/", "Alert Instance")]
    )
    func options(path: String, name: String) async throws {
        let reply = try await Stand().ask("/api/\(path)", "OPTIONS")
        #expect(reply.status == 200)
        #expect(reply.body.hasPrefix(#"{"name":"\#(name)","description":""#))
        let forms = #""parses":["application/json","application/x-www-form-urlencoded","multipart/form-data"]}"#
        #expect(reply.body.hasSuffix(#""renders":["application/json","text/html"],"# + forms))
    }

    @Test(
        "Refusals are worded as the framework words them",
        arguments: [
            ("GET", "/api/facilities/nowhere/", [:], 404, #"{"detail":"Not found."}"#),
            ("GET", "/api/facilities/?format=xml", [:], 404, #"{"detail":"Not found."}"#),
            ("POST", "/api/facilities/", [:], 403, #"{"detail":"Authentication credentials were not provided."}"#),
            ("DELETE", "/api/schedules/200/", [:], 403, #"{"detail":"Authentication credentials were not provided."}"#),
            ("TRACE", "/api/facilities/", [:], 405, #"{"detail":"Method \"TRACE\" not allowed."}"#),
            ("POST", "/api/facilities/", editor, 405, #"{"detail":"Method \"POST\" not allowed."}"#),
            ("GET", "/api/", ["Authorization": "Basic eDp5"], 403, #"{"detail":"Invalid username/password."}"#),
            (
                "GET", "/api/facilities/", ["Accept": "image/png"], 406,
                #"{"detail":"Could not satisfy the request Accept header."}"#
            ),
        ] as [(String, String, [String: String], Int, String)]
    )
    func refusals(method: String, target: String, headers: [String: String], status: Int, body: String) async throws {
        let reply = try await Stand().ask(target, method, headers: headers)
        #expect(reply.status == status)
        #expect(reply.body == body)
        #expect(reply.header("Content-Type") == "application/json")
    }

    @Test(
        "The form follows the format first and the Accept field second",
        arguments: [
            ("", nil, "application/json"), ("", "text/html", "text/html; charset=utf-8"),
            ("", "*/*", "application/json"), ("", "text/*, application/json", "application/json"),
            ("", "text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"),
            ("?format=json", "text/html, */*", "application/json"), ("?format=api", nil, "text/html; charset=utf-8"),
        ] as [(String, String?, String)]
    )
    func forms(query: String, accept: String?, type: String) async throws {
        let headers = accept.map { ["Accept": $0] } ?? [:]
        let reply = try await Stand().ask("/api/facilities/dukes-donuts/\(query)", headers: headers)
        #expect(reply.status == 200)
        #expect(reply.header("Content-Type") == type)
    }

    @Test("The browsable page tells a facility's hours and escapes what it shows")
    func page() async throws {
        let reply = try await Stand().ask("/api/facilities/dukes-donuts/?format=api&x=<b>")
        #expect(reply.body.contains("Open, closes 2026-09-15T19:00:00-04:00"))
        #expect(reply.body.contains("Duke&#39;s Donuts &amp; Café"))
        #expect(!reply.body.contains("<b>&"))
    }

    @Test("A body the client has is answered 304", arguments: ["GET", "HEAD"])
    func conditional(method: String) async throws {
        try await Stand().session { ask in
            let first = try await ask("/api/facilities/", method, [:], nil)
            let tag = try #require(first.header("ETag"))
            for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let again = try await ask("/api/facilities/", method, ["If-None-Match": known], nil)
                #expect(again.status == 304 && again.body.isEmpty)
                #expect(again.header("ETag") == tag)
            }
            let changed = try await ask("/api/facilities/?search=donuts", method, ["If-None-Match": tag], nil)
            #expect(changed.status == 200)
        }
    }

    @Test("An anonymous client is throttled after its share of a day; another and the editor are not")
    func throttle() async throws {
        try await Stand(throttleLimit: 2).session { ask in
            for _ in 0..<2 { #expect(try await ask("/api/alerts/", "GET", [:], nil).status == 200) }
            let refused = try await ask("/api/alerts/", "GET", [:], nil)
            #expect(refused.status == 429)
            #expect(refused.header("Retry-After") == "86400")
            #expect(refused.body == #"{"detail":"Request was throttled. Expected available in 86400 seconds."}"#)
            #expect(try await ask("/api/alerts/", "GET", ["X-Forwarded-For": "192.0.2.7"], nil).status == 200)
            #expect(try await ask("/api/alerts/", "GET", editor, nil).status == 200)
        }
    }
}

/// The field that signs the editor in.
let editor = [
    "Authorization": "Basic " + Data("editor:patriot".utf8).base64EncodedString()
]
