import Hummingbird

/// The rule that a request comes from our own page or from no page, as far as a browser tells (Fetch §3.2, Fetch Metadata).
///
/// A program that is not a browser sends neither field; it has to show the token itself then.
enum OriginRule {
    private static let safeMethods: Set<HTTPRequest.Method> = [.get, .head]

    /// Judges where a request comes from.
    ///
    /// - Parameters:
    ///   - request: the request, whose authority has been checked.
    ///   - showsToken: whether the request carries the token in `Authorization`, which another site's page cannot make a browser send.
    /// - Returns: the reason to refuse the request; `nil` when the request may pass.
    static func refusal(_ request: Request, showsToken: Bool) -> WebFailure? {
        let isSafe = safeMethods.contains(request.method)
        let origins = request.headers[values: .origin]
        if origins.contains(where: { $0 != "http://\(request.head.authority ?? "")" }) {
            return WebFailure(.forbidden, "Another site's page may not speak to inspect.")
        }
        let site = request.headers[.secFetchSite]
        if let site, site != "same-origin", !(isSafe && (site == "none" || isNavigation(request))) {
            return WebFailure(.forbidden, "Another site's page may not speak to inspect.")
        }
        guard !isSafe else { return nil }
        guard isJSON(request.headers[.contentType]) else {
            let status: HTTPResponse.Status = showsToken ? .unsupportedMediaType : .forbidden
            return WebFailure(status, "A request that changes something must have Content-Type: application/json.")
        }
        guard showsToken || site != nil || !origins.isEmpty else {
            return WebFailure(
                .forbidden,
                "A request that changes something must come from our own page or show the token."
            )
        }
        return nil
    }

    /// Whether a person follows a link to a page of ours; the page with the link sees nothing of the answer.
    private static func isNavigation(_ request: Request) -> Bool {
        request.headers[.secFetchMode] == "navigate" && request.headers[.secFetchDest] == "document"
            && !request.uri.path.hasPrefix("/api/")
    }

    private static func isJSON(_ contentType: String?) -> Bool {
        let essence = contentType?.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        return essence.trimmingPrefix { $0 == " " }.lowercased().split(separator: " ").first == "application/json"
    }
}
