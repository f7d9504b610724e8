/// CloudKit's refusals: a code, its HTTP status and a sentence.
enum CloudKitErrors {
    /// The codes of the web services.
    enum Code: String, Sendable, CaseIterable {
        case accessDenied = "ACCESS_DENIED"
        case atomicError = "ATOMIC_ERROR"
        case authenticationFailed = "AUTHENTICATION_FAILED"
        case authenticationRequired = "AUTHENTICATION_REQUIRED"
        case badRequest = "BAD_REQUEST"
        case conflict = "CONFLICT"
        case exists = "EXISTS"
        case internalError = "INTERNAL_ERROR"
        case notFound = "NOT_FOUND"
        case quotaExceeded = "QUOTA_EXCEEDED"
        case throttled = "THROTTLED"
        case tryAgainLater = "TRY_AGAIN_LATER"
        case validatingReferenceError = "VALIDATING_REFERENCE_ERROR"
        case zoneNotFound = "ZONE_NOT_FOUND"

        /// The status the web services answer with.
        var status: Int {
            switch self {
            case .accessDenied: 403
            case .authenticationFailed: 401
            case .authenticationRequired: 421
            case .atomicError, .badRequest: 400
            case .conflict, .exists: 409
            case .internalError: 500
            case .notFound, .zoneNotFound: 404
            case .quotaExceeded: 413
            case .throttled: 429
            case .tryAgainLater: 503
            case .validatingReferenceError: 412
            }
        }

        /// The code that a status alone stands for.
        static func usual(for status: Int) -> Code? {
            switch status {
            case 400: .badRequest
            case 404: .notFound
            case 409: .conflict
            default: allCases.first { $0.status == status }
            }
        }

        fileprivate var usualReason: String {
            switch self {
            case .accessDenied: "delete operation not permitted"
            case .atomicError: "one of the records could not be saved, so none was"
            case .authenticationFailed: "no auth method found"
            case .authenticationRequired: "request needs authorization"
            case .badRequest: "the request is not valid"
            case .conflict: "the recordChangeTag is out of date"
            case .exists: "record to insert already exists"
            case .internalError: "internal server error"
            case .notFound: "no such service"
            case .quotaExceeded: "the public database has no room left"
            case .throttled: "too many requests"
            case .tryAgainLater: "the service is busy"
            case .validatingReferenceError: "the record a reference names does not exist"
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

    /// The error of one record inside a 200.
    static func record(_ name: String, _ code: Code, reason: String? = nil) -> JSON {
        [
            "recordName": .string(name), "reason": .string(reason ?? code.usualReason),
            "serverErrorCode": .string(code.rawValue),
        ]
    }
}
