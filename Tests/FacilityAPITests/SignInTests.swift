import Foundation
import HTTPTypes
import Testing

/// Who may write, and how a client shows who it is.
@Suite(.timeLimit(.minutes(15))) struct SignInTests {
    private func basic(_ pair: String) -> [String: String] {
        ["Authorization": "Basic " + Data(pair.utf8).base64EncodedString(), "Content-Type": "application/json"]
    }

    @Test(
        "A write needs an account that may; the refusals are the framework's, word for word",
        arguments: [
            ("", 403, "Authentication credentials were not provided."),
            ("editor:wrong", 403, "Invalid username/password."),
            ("nobody:patriot", 403, "Invalid username/password."),
            ("reader:patriot", 403, "You do not have permission to perform this action."),
        ]
    )
    func refusals(pair: String, status: Int, sentence: String) async throws {
        for (target, method) in [
            ("/api/schedules/", "POST"), ("/api/schedules/200/", "DELETE"), ("/api/facilities/", "PUT"),
        ] {
            let fields = pair.isEmpty ? ["Content-Type": "application/json"] : basic(pair)
            let reply = try await Stand().ask(target, method, headers: fields, body: #"{"name":"x"}"#)
            #expect(reply.status == status && reply.body == #"{"detail":"\#(sentence)"}"#)
        }
    }

    @Test("Who may write gets 405 where nothing can be written")
    func readOnly() async throws {
        let reply = try await Stand().ask("/api/facilities/", "POST", headers: basic("editor:patriot"), body: "{}")
        #expect(reply.status == 405 && reply.body == #"{"detail":"Method \"POST\" not allowed."}"#)
        #expect(reply.header("Allow") == "GET, HEAD, OPTIONS")
    }

    @Test("A session writes with its token, and not without")
    func session() async throws {
        try await Stand().session { ask in
            let form = ["Content-Type": "application/x-www-form-urlencoded"]
            #expect(
                try await ask("/admin/login/", "POST", form, "username=editor&password=no").body.contains(
                    "correct username"
                )
            )
            let login = try await ask("/admin/login/", "POST", form, "username=editor&password=patriot")
            #expect(login.status == 302 && login.header("Location") == "/api/")
            let cookies = login.headers[values: try #require(.init("Set-Cookie"))].compactMap {
                $0.split(separator: ";").first
            }
            let token = try #require(cookies.first { $0.hasPrefix("csrftoken=") }?.dropFirst(10))
            var fields = ["Cookie": cookies.joined(separator: "; "), "Content-Type": "application/json"]
            let without = try await ask("/api/schedules/", "POST", fields, #"{"name":"By session"}"#)
            #expect(without.status == 403)
            #expect(without.body == #"{"detail":"CSRF Failed: CSRF token missing or incorrect."}"#)
            fields["X-CSRFToken"] = String(token)
            #expect(try await ask("/api/schedules/", "POST", fields, #"{"name":"By session"}"#).status == 201)
            #expect(try await ask("/api/schedules/?name=By%20session", "GET", [:], nil).json.elements?.count == 1)
        }
    }
}
