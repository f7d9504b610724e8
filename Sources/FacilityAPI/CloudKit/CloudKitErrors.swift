/// CloudKit's refusals: a code, its HTTP status and a sentence.
enum CloudKitErrors {
    /// The codes this stand-in uses.
    enum Code: String, Sendable {
        case accessDenied = "ACCESS_DENIED"
        case authenticationFailed = "AUTHENTICATION_FAILED"
        case authenticationRequired = "AUTHENTICATION_REQUIRED"
        case badRequest = "BAD_REQUEST"
        case internalError = "INTERNAL_ERROR"
        case notFound = "NOT_FOUND"
        case throttled = "THROTTLED"
        case tryAgainLater = "TRY_AGAIN_LATER"
        case zoneNotFound = "ZONE_NOT_FOUND"

        /// The status the web services answer with.
        var status: Int {
            switch self {
            case .accessDenied: 403
            case .authenticationFailed: 401
            case .authenticationRequired: 421
            case .badRequest: 400
            case .internalError: 500
            case .notFound, .zoneNotFound: 404
            case .throttled: 429
            case .tryAgainLater: 503
            }
        }

        fileprivate var usualReason: String {
            switch self {
            case .accessDenied: "delete operation not permitted"
            case .authenticationFailed: "no auth method found"
            case .authenticationRequired: "request needs authorization"
            case .badRequest: "the request is not valid"
            case .internalError: "internal server error"
            case .notFound: "no such service"
            case .throttled: "too many requests"
            case .tryAgainLater: "the service is busy"
            case .zoneNotFound: "Zone does not exist"
            }
        }
    }

    /// An answer that refuses; waiting is advised where it helps, signing in where it is needed.
    static func answer(_ code: Code, reason: String? = nil, redirectURL: String? = nil) -> Answer {
        var members: [JSON.Member] = [
            .init(name: "uuid", value: "7f3a2c60-9d1e-4b57-8a44-1c2d3e4f5a6b"),
            .init(name: "serverErrorCode", value: .string(code.rawValue)),
            .init(name: "reason", value: .string(reason ?? code.usualReason)),
        ]
        let waits = code == .throttled || code == .tryAgainLater
        if waits { members.append(.init(name: "retryAfter", value: 30)) }
        if let redirectURL { members.append(.init(name: "redirectURL", value: .string(redirectURL))) }
        let answer = Answer.json(code.status, .object(members), type: "application/json; charset=UTF-8")
        return waits ? answer.adding("Retry-After", "30") : answer
    }
}
