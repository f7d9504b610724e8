import HTTPTypes

extension HTTPField.Name {
    /// The name of a field; the text has to be a token (RFC 9110 §5.6.2).
    private static func known(_ name: String) -> HTTPField.Name {
        guard let field = HTTPField.Name(name) else { preconditionFailure("\(name) is a token (RFC 9110 §5.1)") }
        return field
    }

    static let lastEventID = known("Last-Event-ID")
    static let host = known("Host")
    static let secFetchSite = known("Sec-Fetch-Site")
    static let secFetchMode = known("Sec-Fetch-Mode")
    static let secFetchDest = known("Sec-Fetch-Dest")
    static let referrerPolicy = known("Referrer-Policy")
    static let crossOriginResourcePolicy = known("Cross-Origin-Resource-Policy")
    static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
    static let frameOptions = known("X-Frame-Options")
    static let clearSiteData = known("Clear-Site-Data")
    /// A field of ours: a sentence that says why the bytes that follow are not the whole body.
    static let inspectProblem = known("Inspect-Problem")
}
