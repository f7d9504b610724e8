import Hummingbird

/// Lets a request through that names us, comes from nowhere else and shows the token; every other is refused before it reaches a route.
struct RequestGuard: RouterMiddleware {
    private let hosts: HostRule
    private let token: AccessToken
    /// What the cookie holds: a secret of its own, because cookies reach every port of a host and the token opens more than the page.
    private let session: String

    init(configuration: WebConfiguration) {
        hosts = HostRule(names: configuration.allowedHosts)
        token = AccessToken(configuration.token)
        session = WebConfiguration.randomToken()
    }

    func handle(
        _ request: Request,
        context: WebContext,
        next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        // `//host/…` and `/\host/…` would become another site in a redirect.
        guard let path = request.head.path, path.hasPrefix("/"), !path.hasPrefix("//"), !path.contains("\\") else {
            throw WebFailure(.badRequest, "The request's target is not a path of this page.")
        }
        guard request.headers[.host] == nil, hosts.accepts(request.head.authority, port: context.localPort) else {
            throw WebFailure(.misdirectedRequest, "This page is not served under that name.")
        }
        let showsToken = bearer(request).map(token.matches) ?? false
        if let refusal = OriginRule.refusal(request, showsToken: showsToken) { throw refusal }
        if showsToken { return try await next(request, context) }

        let query = QueryItems(request.uri.query ?? "")
        if request.method == .get, let offered = query.first("token") {
            guard token.matches(offered) else { throw unauthorized }
            return welcome(request, without: query)
        }
        let cookie = request.cookies[cookieName(context)]?.value
        guard let cookie, AccessToken(session).matches(cookie) else { throw unauthorized }
        return try await next(request, context)

        func welcome(_ request: Request, without query: QueryItems) -> Response {
            let rest = query.removing("token").text
            let cookie = "\(cookieName(context))=\(session); Path=/; HttpOnly; SameSite=Strict"
            return Response(
                status: .seeOther,
                headers: [.location: request.uri.path + (rest.isEmpty ? "" : "?" + rest), .setCookie: cookie]
            )
        }
    }

    private var unauthorized: WebFailure {
        WebFailure(.unauthorized, "This page needs its token: open the address that inspect printed when it started.")
    }

    /// A name for each port, because a browser keeps one jar for all ports of a host and two proxies may run side by side.
    private func cookieName(_ context: WebContext) -> String { "inspect-\(context.localPort ?? 0)" }

    /// The credentials of the Bearer scheme (RFC 6750 §2.1).
    private func bearer(_ request: Request) -> Substring? {
        guard let field = request.headers[.authorization] else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1]
    }
}
