import Hummingbird
import Logging

/// Turns every error into an answer, and adds to every answer the fields that keep a browser from doing harm with it.
struct SafeAnswers: RouterMiddleware {
    /// Nothing is loaded but our own files and what the page itself made of captured bytes; nothing is evaluated, nothing sent elsewhere.
    ///
    /// A preview is a frame of a `blob:` with an empty `sandbox`: it has this policy and no origin, so no script of it runs and nothing is loaded.
    static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
        media-src blob:; font-src blob: data:; frame-src blob:; connect-src 'self'; \
        frame-ancestors 'none'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types 'none'
        """

    let known: KnownPaths
    let logger: Logger

    func handle(
        _ request: Request,
        context: WebContext,
        next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let thrown {
            let late = thrown as? LateFailure
            let error = late?.error ?? thrown
            var failure = WebFailure(error)
            let allowed =
                failure.status == .notFound && error is HTTPError ? known.allowed(request.uri.path) : nil
            if allowed != nil { failure = WebFailure(.methodNotAllowed, "This address does not take this method.") }
            if failure.status == .internalServerError {
                logger.error("The page could not answer", metadata: ["error": "\(error)"])
            }
            let path = request.uri.path
            response = WebAnswer.failure(failure, asJSON: path.hasPrefix("/api/") || path.hasSuffix(".json"))
            response.headers[.allow] = allowed
            if late != nil { response.headers[.connection] = "close" }
            if failure.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        }
        if response.headers[.contentSecurityPolicy] == nil { response.headers[.contentSecurityPolicy] = Self.policy }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.crossOriginResourcePolicy] = "same-origin"
        response.headers[.crossOriginOpenerPolicy] = "same-origin"
        response.headers[.frameOptions] = "DENY"
        return response
    }
}
