import Hummingbird
import NIOCore

/// Passes requests that name us, come from no foreign page and show the token; every other request is refused before it reaches a route.
///
/// A browser that opened the printed address has two secrets instead, which end with the server. A cookie opens the page's own files, which hold
/// nothing of what was captured: a browser sends a cookie to every port of the host, whoever listens there. The key opens everything else. The page
/// gets the key in its document and keeps it where only pages of this port can read it. The page shows the key as programs show the token, or in the
/// address where a browser leaves no other way (a stream of events, a file to save).
///
/// A pass opens the document once, as the token does, for an address that others may see. Another user of this machine cannot use it.
struct RequestGuard: RouterMiddleware {
    private let hosts: HostRule
    private let token: AccessToken
    private let cookie: String
    private let key: String
    private let passes: EntryPasses
    private let visitors: VisitorLimit
    private let isForeign: @Sendable (any Channel) async -> Bool
    private let document: PageDocument

    /// - Parameters:
    ///   - configuration: the names and the token.
    ///   - passes: what opens the document once.
    ///   - visitors: told of the connections on which a secret was shown that opens the page.
    ///   - document: the page for a browser that shows such a secret.
    init(configuration: WebConfiguration, passes: EntryPasses, visitors: VisitorLimit, document: PageDocument) {
        self.passes = passes
        self.visitors = visitors
        self.document = document
        isForeign = configuration.isForeign
        hosts = HostRule(names: configuration.allowedHosts)
        token = AccessToken(configuration.token)
        cookie = WebConfiguration.randomToken()
        key = WebConfiguration.randomToken()
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
        let isRead = request.method == .get || request.method == .head
        // None of these requests needs a body, and some answers would have to wait until the body is read.
        guard !isRead || !request.hasBody else { throw WebFailure(.badRequest, "A GET or HEAD must have no body.") }
        let shown = bearer(request)
        let showsToken = shown.map(token.matches) ?? false
        if let refusal = OriginRule.refusal(request, showsToken: showsToken) { throw refusal }
        if showsToken || shown.map(AccessToken(key).matches) ?? false {
            visitors.admit(context.channel)
            return try await next(request, context)
        }

        let query = QueryItems(request.uri.query ?? "")
        if isRead, let offered = query.first("token") {
            guard token.matches(offered) else { throw unauthorized }
            visitors.admit(context.channel)
            guard PageRoutes.isDocument(request.uri.path) else {
                return try await next(request.without("token", of: query), context)
            }
            return page(context)
        }
        if request.method == .get, PageRoutes.isDocument(request.uri.path), let offered = query.first("pass"),
            passes.has(offered), await !isForeign(context.channel), passes.take(offered)
        {
            visitors.admit(context.channel)
            return page(context)
        }
        if isRead, let offered = query.first("key") {
            guard AccessToken(key).matches(offered) else { throw unauthorized }
            visitors.admit(context.channel)
            return try await next(request.without("key", of: query), context)
        }
        let kept = request.cookies[cookieName(context)]?.value
        guard PageRoutes.isFile(request.uri.path), let kept, AccessToken(cookie).matches(kept) else {
            throw unauthorized
        }
        // Not admitted: whoever listens at another port of the host has seen the cookie.
        return try await next(request, context)
    }

    /// The page's document with the key, and the cookie beside it.
    private func page(_ context: WebContext) -> Response {
        var response = document.asset(key: key).response
        (response.headers[.cacheControl], response.headers[.eTag]) = ("no-store", nil)
        // Whoever listened at this port before may have left documents in the cache that would find the key.
        response.headers[.clearSiteData] = "\"cache\""
        response.headers[.setCookie] = "\(cookieName(context))=\(cookie); Path=/; HttpOnly; SameSite=Strict"
        return response
    }

    private var unauthorized: WebFailure {
        WebFailure(.unauthorized, "This page needs its token: open the address that inspect printed when it started.")
    }

    /// The cookie's name, one for each port: a browser keeps one jar for all ports of a host, and two proxies may run side by side.
    private func cookieName(_ context: WebContext) -> String { "inspect-\(context.localPort ?? 0)" }

    /// The credentials of the Bearer scheme (RFC 6750 §2.1).
    private func bearer(_ request: Request) -> Substring? {
        guard let field = request.headers[.authorization] else { return nil }
        let parts = field.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1]
    }
}

extension Request {
    /// Whether a body comes with it (RFC 9112 §6).
    fileprivate var hasBody: Bool {
        headers[.transferEncoding] != nil || headers[values: .contentLength].contains { $0 != "0" }
    }

    /// The request with a query that has no pair of a name, so that no route sees the secret.
    fileprivate func without(_ name: String, of query: QueryItems) -> Request {
        let rest = query.removing(name).text
        var head = head
        head.path = uri.path + (rest.isEmpty ? "" : "?" + rest)
        return Request(head: head, body: body)
    }
}
