/// The bodies of refusals, word for word as Django and its REST framework write them.
enum WhatsOpenErrors {
    static let notFound = detail(404, "Not found.")
    static let anonymous = detail(403, "Authentication credentials were not provided.")
    static let wrongPassword = detail(403, "Invalid username/password.")
    static let forbidden = detail(403, "You do not have permission to perform this action.")
    static let missingToken = detail(403, "CSRF Failed: CSRF token missing or incorrect.")
    static let notAcceptable = detail(406, "Could not satisfy the request Accept header.")

    /// A method the resource does not have.
    static func methodNotAllowed(_ method: String) -> Answer {
        detail(405, "Method \"\(method)\" not allowed.")
    }

    /// A body in a form that cannot be parsed.
    static func unsupportedType(_ type: String) -> Answer {
        detail(415, "Unsupported media type \"\(type)\" in request.")
    }

    /// Too many requests; the wait is in the body and in `Retry-After`.
    static func throttled(waitSeconds: Int) -> Answer {
        detail(429, "Request was throttled. Expected available in \(waitSeconds) seconds.")
            .adding("Retry-After", String(waitSeconds))
    }

    /// A refusal with one sentence.
    static func detail(_ status: Int, _ sentence: String) -> Answer {
        .json(status, ["detail": .string(sentence)]).adding("X-Frame-Options", "SAMEORIGIN")
    }

    /// A path no pattern matches: Django's own page, not the framework's JSON.
    static func unknownPath(_ path: String) -> Answer {
        .text(
            404,
            "<h1>Not Found</h1><p>The requested URL \(path.htmlEscaped) was not found on this server.</p>",
            type: "text/html"
        ).adding("X-Frame-Options", "SAMEORIGIN")
    }
}
