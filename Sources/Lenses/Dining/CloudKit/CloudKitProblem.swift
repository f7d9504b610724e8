import Traffic

/// An error of CloudKit web services: a whole answer, or an entry in the place of one record.
struct CloudKitProblem: Sendable, Equatable {
    /// CloudKit's code of the error, such as `NOT_FOUND`.
    let code: String
    let reason: String?
    /// Seconds after which to try again.
    let retryAfter: Double?
    /// The address at which a person signs in; its query is a secret.
    let redirectURL: String?
    let uuid: String?

    /// The known codes, each with its status and its meaning.
    static let known: [(code: String, status: Int, meaning: String)] = [
        ("ACCESS_DENIED", 403, "The caller may not do this."),
        ("ATOMIC_ERROR", 400, "One change of several failed, so none was made."),
        ("AUTHENTICATION_FAILED", 401, "The token or the signature is missing, wrong or expired."),
        ("AUTHENTICATION_REQUIRED", 421, "A person has to sign in first, at the address it names."),
        ("BAD_REQUEST", 400, "The request is not valid."),
        ("CONFLICT", 409, "The record was changed in the meantime: its change tag is an older one."),
        ("EXISTS", 409, "There is a record of this name already."),
        ("INTERNAL_ERROR", 500, "The service failed; the request may be sent again."),
        ("NOT_FOUND", 404, "There is no such record or container."),
        ("QUOTA_EXCEEDED", 413, "The database is full."),
        ("THROTTLED", 429, "Too many requests; the caller has to wait."),
        ("TRY_AGAIN_LATER", 503, "The service is busy; the caller has to wait."),
        ("VALIDATING_REFERENCE_ERROR", 412, "A record that is referred to is missing."),
        ("ZONE_NOT_FOUND", 404, "There is no such record zone."),
    ]

    /// Reads an error; `nil` where there is no error code.
    init?(_ value: JSONValue) {
        guard let code = value["serverErrorCode"]?.string else { return nil }
        self.code = code
        reason = value["reason"]?.string
        retryAfter = value["retryAfter"]?.number
        redirectURL = value["redirectURL"]?.string
        uuid = value["uuid"]?.string
    }

    /// The meaning of the code, a sentence.
    var meaning: String {
        Self.known.first { $0.code == code }?.meaning ?? "CloudKit's reference names no such code."
    }

    /// The status of the code; `nil` for an unknown code.
    var usualStatus: Int? { Self.known.first { $0.code == code }?.status }

    /// The code with the reason: `NOT_FOUND (Record not found)`.
    var text: String { reason.map { "\(code) (\($0))" } ?? code }

    /// The error as fields of a view; only the host and path of the sign-in address.
    func fields(status: Int?) -> [LensField] {
        var fields = [LensField("Code", LensText(code, .bad)), LensField("Meaning", meaning)]
        if let reason { fields.append(LensField("Reason", reason)) }
        if let usualStatus, let status, status != usualStatus {
            let text = "The status is \(status); this code comes with \(usualStatus)."
            fields.append(LensField("Status", LensText(text, .warning)))
        }
        if let retryAfter {
            fields.append(LensField("Wait", "\(NutritionLine.plain(retryAfter)) seconds before trying again"))
        }
        if let redirectURL {
            let place = redirectURL.prefix { $0 != "?" && $0 != "#" }
            fields.append(LensField("Sign in at", "\(place)\(place.count < redirectURL.count ? "?… (hidden)" : "")"))
        }
        if let uuid { fields.append(LensField("Incident", uuid)) }
        return fields
    }
}
