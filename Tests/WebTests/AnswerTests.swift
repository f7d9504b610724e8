import Support
import Testing

@Suite("Every answer is safe to hold in a browser", .timeLimit(.minutes(15)))
struct AnswerTests {
    static let targets = [
        "/", "/exchanges/1", "/assets/0/app.js", "/assets/0/style.css", "/assets/0/icon.svg",
        "/assets/0/../Package.swift",
        "/assets/0/nothing", "/assets/app.js",
        "/exchanges.json", "/exchanges/1.json", "/exchanges/99", "/exchanges/99.json", "/api/v1/exchanges?code=banana",
        "/api/v1/instance",
        "/api/v1/exchanges/1/response/body", "/nowhere",
    ]

    @Test("The fields that keep a browser from harm are on every answer, errors too", arguments: targets)
    func carriesSafetyFields(target: String) async throws {
        try await RunningPage.with { page in
            try await page.store.record(Recorded.exchange(length: 2), response: Array("{}".utf8))
            for reply in [
                try await page.get(target), try await page.ask("GET", target, fields: []),
                try await page.ask("GET", target, host: "evil.test"), try await page.ask("HEAD", target),
                try await page.ask("DELETE", target),
            ] {
                let policy = try #require(reply["content-security-policy"])
                #expect(policy.hasPrefix("default-src 'none'"))
                #expect(!policy.contains("unsafe"))
                #expect(policy.contains("frame-ancestors 'none'") || policy.contains("sandbox"))
                #expect(reply["x-content-type-options"] == "nosniff")
                #expect(reply["referrer-policy"] == "no-referrer")
                #expect(reply["cross-origin-resource-policy"] == "same-origin")
                // Our own files may be kept; what was captured may not.
                let isFile = reply.status == 200 && !target.contains("api") && !target.contains(".json")
                #expect(reply["cache-control"] == (isFile ? "no-cache" : "no-store"))
            }
        }
    }

    @Test(
        "An error never repeats what was asked",
        arguments: ["<script>alert(1)</script>", "%3Cscript%3E", "'\"><img>"]
    )
    func doesNotEcho(payload: String) async throws {
        try await RunningPage.with { page in
            for target in [
                "/\(payload)", "/exchanges/\(payload).json", "/assets/\(payload)", "/assets/0/\(payload)",
                "/api/v1/exchanges/\(payload)",
            ] {
                let reply = try await page.get(target)
                // `/exchanges/…` without an ending is an address of the page, whose document is the same for all.
                #expect(!reply.text.contains("alert(1)"))
                #expect(!reply.text.contains(payload))
            }
            // The sentence of a wrong filter names the value, as JSON that no browser sniffs.
            let reply = try await page.get("/api/v1/exchanges?code=%3Cscript%3E")
            #expect(reply.status == 400)
            #expect(reply["content-type"] == "application/json")
        }
    }

    @Test("A request to read has no body, of whatever length it says it is", arguments: ["GET", "HEAD"])
    func bodies(method: String) async throws {
        try await RunningPage.with { page in
            let token = ("Authorization", "Bearer \(page.token)")
            let fields = [("Content-Length", "5"), ("Transfer-Encoding", "chunked"), ("Content-Length", "0")]
            for (field, expected) in zip(fields, [400, 400, 200]) {
                let reply = try await page.ask(method, "/api/v1/exchanges", fields: [token, field])
                #expect(reply.status == expected, "\(field)")
            }
        }
    }

    @Test("A body that is larger than an address takes is refused as such", arguments: ["marks", "clear", "saved"])
    func largeBodies(name: String) async throws {
        try await RunningPage.with { page in
            let body = String(repeating: " ", count: 1 << 20) + "{}"
            let reply = try await page.post("/api/v1/\(name)?all=true", body)
            #expect(reply.status == 413)
        }
    }

    @Test(
        "A member that an address does not take is refused, and named by its beginning",
        arguments: ["a", "a\u{301}"]
    )
    func strangers(letter: String) async throws {
        try await RunningPage.with { page in
            let name = String(repeating: letter, count: 100_000)
            let told = try await page.post("/api/v1/marks?all=true", #"{"note": "x", "\#(name)": 1}"#)
            #expect(told.status == 400 && told.body.count < 400)
            let accents = "a" + String(repeating: "\u{301}", count: 100_000)
            #expect(try await page.post("/api/v1/marks?all=true", #"{"\#(accents)": 1}"#).body.count < 400)
        }
    }

    @Test("A body that breaks off is refused as the asker's fault", arguments: ["marks?all=true", "saved", "import"])
    func brokenBodies(target: String) async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            let client = try await RawClient.connect(port: page.port)
            try await client.send(
                "POST /api/v1/\(target) HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\nAuthorization: Bearer \(page.token)\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"a\":"
            )
            try await client.halfClose()
            let reply = try Reply(await client.readToEnd())
            let sentence = "The request's body broke off, or cannot be read."
            #expect(reply.status == 400)
            #expect(try reply.json(as: [String: String].self) == ["error": sentence])
        }
    }

    @Test("Errors are JSON for the API and plain text elsewhere")
    func errorsFitTheAsker() async throws {
        try await RunningPage.with { page in
            let api = try await page.get("/api/v1/exchanges/99")
            #expect(api.status == 404)
            #expect(try api.json(as: [String: String].self) == ["error": "The store has no exchange of this number."])
            let page = try await page.get("/nowhere")
            #expect(page.status == 404)
            #expect(page["content-type"] == "text/plain; charset=utf-8")
        }
    }

    @Test("The page is one document without script or style inside, and its files are served")
    func servesThePage() async throws {
        try await RunningPage.with { page in
            let root = try await page.get("/")
            #expect(root["content-type"] == "text/html; charset=utf-8")
            let other = try await page.get("/exchanges/7?code=500")
            #expect(root.text == other.text)
            #expect(!root.text.contains("style=") && !root.text.contains("onclick") && !root.text.contains("http://"))
            let scripts = root.text.matches(of: /<script[^>]*>([^<]*)<\/script>/)
            #expect(!scripts.isEmpty && scripts.allSatisfy { $0.output.1.isEmpty })
            let place = try #require(root.text.firstMatch(of: /\/assets\/\w+\//)).output
            var names = Set(root.text.matches(of: /\/assets\/\w+\/([\w.-]+)/).map { String($0.output.1) })
            var seen: Set<String> = []
            while let name = names.subtracting(seen).first {
                seen.insert(name)
                let file = try await page.get("\(place)\(name)")
                #expect(file.status == 200, "\(name)")
                names.formUnion(file.text.matches(of: /from "\.\/([\w.-]+)"/).map { String($0.output.1) })
                #expect(!file.text.contains("innerHTML") && !file.text.contains("eval("), "\(name)")
            }
            #expect(seen.count >= 12)
        }
    }

    @Test(
        "Each start has addresses of its own for the page's files, which no earlier server of the port can have named"
    )
    func filesOfAStart() async throws {
        var places: [Substring] = []
        for _ in 0..<2 {
            let documents = try await RunningPage.with { page in
                let opened = try await page.ask("GET", "/?token=\(page.token)", fields: [])
                return [opened.text, try await page.get("/").text]
            }
            for document in documents {
                let files = document.matches(of: /(?:src|href)="(\/[^"]+)"/).map(\.output.1)
                let named = files.compactMap { $0.firstMatch(of: /^\/assets\/[0-9a-f]{32}\//)?.output }
                #expect(named.count >= 12 && named.count == files.count && Set(named).count == 1, "\(files)")
                places += named.prefix(1)
            }
        }
        #expect(places.count == 4 && Set(places).count == 2, "\(places)")
    }
}
