import Foundation
import Support
import Testing

@testable import Traffic

/// Rules that edit bodies, by the rules file of the manual, as curl sees them in HTTP/1.1 and in HTTP/2 inside TLS.
@Suite("Bodies that rules edit, with real clients", .timeLimit(.minutes(15))) struct RuledBodiesTests {
    private static let rules = #"""
        rules:
        - name: nobody is admin
          when: path:/v2/users type:json
          response: {body: {json: {set: {"$.items[*].role": guest, "$.total": 0}, remove: ["$..ssn"]}}}
        - name: no csp, dev build
          when: type:html
          response: {fields: {remove: [Content-Security-Policy]}, body: {replace: [{find: "<title>", with: "<title>TEST "}, {regex: '/v(\d+)\.js', with: "/v${1}.dev.js"}]}}
        - name: title alone
          when: path:/long
          response: {body: {replace: {find: "needle", with: "pin"}}}
        - name: sent
          when: path:/sent
          request: {body: {json: {merge: {role: guest, old: null}}, append: "\n"}}
        """#
    private static let users =
        #"{"total": 3 ,"items":[{"id":72057594038268329,"role":"admin","w":0.0},{"ssn":"2","role":"admin","id":2,"w":1e400}], "ssn":"1"}"#
    private static let edited =
        #"{"total": 0 ,"items":[{"id":72057594038268329,"role":"guest","w":0.0},{"role":"guest","id":2,"w":1e400}]}"#
    private static let page = "<html><title>Shop</title><script src=/v12.js></script></html>"
    private static let long = String(repeating: "a needle in some hay\n", count: 50_000)

    /// An answer to a request: JSON in gzip, a page, a long text in gzip, or what came.
    @Sendable private static func answer(_ request: RawRequest) -> [UInt8] {
        func message(_ type: String, _ body: [UInt8], _ coding: String? = nil) -> [UInt8] {
            let encoding = coding.map { "Content-Encoding: \($0)\r\n" } ?? ""
            let csp = "Content-Security-Policy: none\r\n"
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\(csp)\(encoding)Content-Length: \(body.count)\r\n\r\n"
            return Array(head.utf8) + body
        }
        func coded(_ text: String) -> [UInt8] { ContentEncoder.encode(Array(text.utf8), names: ["gzip"]) ?? [] }
        switch request.target {
        case "/v2/users": return message("application/json", coded(users), "gzip")
        case "/page": return message("text/html", Array(page.utf8))
        case "/long": return message("text/plain", coded(long), "gzip")
        default: return message("text/plain", request.content)
        }
    }

    @Test(
        "JSON changes by span, text by literals and expressions, coded as before, in either version",
        arguments: ["--http1.1", "--http2"]
    )
    func curl(version: String) async throws {
        let directory = try TemporaryDirectory()
        let authority = try await TestAuthority()
        let leaf = try await authority.issue(for: ["localhost"])
        let origin = try await LoopbackOrigin.start(tls: leaf, script: RawRequest.answering(Self.answer))
        let file = try directory.write(Self.rules, to: "rules.yaml")
        let inspect = try await RunningInspect.start(
            in: directory,
            ["--rules", file, "--upstream-ca", authority.rootFile]
        )
        let root = try await inspect.rootFile()
        func get(_ path: String, _ more: String...) async throws -> (head: String, body: String) {
            let result = try await CommandLineTool.run(
                "curl",
                [
                    "-sS", "-i", "--compressed", version, "--noproxy", "", "-x", inspect.proxy,
                    "--suppress-connect-headers",
                ]
                    + ["--cacert", root] + more + ["https://localhost:\(origin.port)\(path)"]
            )
            #expect(result.status == 0, "\(result.errors)")
            // Swift takes CR and LF for one character.
            guard let end = result.output.firstRange(of: "\r\n\r\n") else { return (result.output, "") }
            return (result.output[..<end.lowerBound].lowercased(), String(result.output[end.upperBound...]))
        }

        let users = try await get("/v2/users")
        #expect(users.body == Self.edited)
        #expect(users.head.contains("content-encoding: gzip") && users.head.contains("content-length: "))
        let page = try await get("/page")
        #expect(page.body == "<html><title>TEST Shop</title><script src=/v12.dev.js></script></html>")
        #expect(
            !page.head.contains("content-security-policy")
                && page.head.contains("content-length: \(page.body.utf8.count)")
        )
        let long = try await get("/long")
        #expect(long.body == Self.long.replacing("needle", with: "pin"))
        #expect(long.head.contains("content-encoding: gzip") && !long.head.contains("content-length"))
        let sent = #"{"role":"admin", "old": 1, "n": 0.0}"#
        let back = try await get("/sent", "-H", "Content-Type: application/json", "-d", sent)
        #expect(back.body == #"{"role":"guest", "n": 0.0}"# + "\n")
        #expect(try await get("/other", "-d", sent).body == sent)
        let head = try await get("/v2/users", "--head")
        #expect(head.body == "" && head.head.contains("content-length: "))

        let store = RunningInspect.store(directory)
        let listing = try await inspect.listing("path:/v2/users method:GET rule:\"nobody is admin\"")
        let id = try #require(listing.exchanges.first?.id)
        let shown = try await RunningInspect.run(["show", "\(id)", "--store", store], in: directory)
        #expect(shown.output.contains("$.items[*].role ×2"), "\(shown.output)")
        #expect(shown.output.contains("guest") && !shown.output.contains("admin\""), "The body is what the client got")
        #expect(try await inspect.listing("is:modified").matched == 4)
        _ = try await inspect.process.stop()
    }
}
