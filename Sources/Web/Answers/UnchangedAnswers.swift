import HTTPTypes
import Hummingbird

/// Answers 304 without a body where the client has the same answer already (RFC 9110 §13.2).
struct UnchangedAnswers: RouterMiddleware {
    func handle(
        _ request: Request,
        context: WebContext,
        next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        guard response.status == .ok, request.method == .get || request.method == .head,
            let text = response.headers[.eTag], let asked = request.headers[.ifNoneMatch],
            let tag = EntityTag(name: String(text.dropFirst().dropLast())).found(in: asked)
        else { return response }
        var unchanged = Response(status: .notModified, headers: [.eTag: tag.text])
        unchanged.headers[.cacheControl] = response.headers[.cacheControl]
        return unchanged
    }
}
