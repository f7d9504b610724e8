import Foundation

/// `/admin/login/`: a form whose cookies let a browser, or a script, write schedules.
struct LoginPage: Sendable {
    static let path = "/admin/login/"

    let sessions: LoginSessions

    /// Shows the form, or signs in with `username` and `password` and sends the two cookies.
    func answer(to request: IncomingRequest) async -> Answer {
        guard request.method == "POST" else { return page("") }
        guard case .success(let form) = RequestForm.read(request) else {
            return page("Please enter a name and a password.")
        }
        let user = Credentials(name: form["username"]?.text ?? "", password: form["password"]?.text ?? "")
        guard user != .wrong else { return page("Please enter the correct username and password for a staff account.") }
        let session = await sessions.open(for: user)
        return Answer(
            302,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Location", "/api/"), ("Vary", "Cookie"),
                ("Set-Cookie", "sessionid=\(session); HttpOnly; Path=/; SameSite=Lax"),
                ("Set-Cookie", "csrftoken=\(LoginSessions.token()); Path=/; SameSite=Lax"),
                ("X-Frame-Options", "SAMEORIGIN"),
            ]
        )
    }

    private func page(_ remark: String) -> Answer {
        let text = """
            <!DOCTYPE html>
            <html><head><title>Log in</title></head><body><p>\(remark)</p>
            <form method="post"><input name="username"><input name="password" type="password"><button>Log in</button></form>
            </body></html>

            """
        return .text(200, text).adding("X-Frame-Options", "SAMEORIGIN")
    }
}
