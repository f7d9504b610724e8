/// What each API says when a fault is drawn: its own words where it has some, its front server's page where not.
enum FaultAnswers {
    /// The answer that replaces the honest one.
    static func answer(for fault: FaultPlan.StatusFault, from family: APIFamily) -> Answer {
        switch (fault, family) {
        case (.serverError, .cloudKit): CloudKitErrors.answer(.internalError)
        case (.throttled, .cloudKit): CloudKitErrors.answer(.throttled)
        case (.unavailable, .cloudKit): CloudKitErrors.answer(.tryAgainLater)
        case (.serverError, .whatsOpen):
            .text(500, "<h1>Server Error (500)</h1>", type: "text/html").adding("X-Frame-Options", "SAMEORIGIN")
        case (.throttled, .whatsOpen): WhatsOpenErrors.throttled(waitSeconds: 60)
        case (.serverError, _): page(500, "Internal Server Error")
        case (.throttled, _): page(429, "Too Many Requests").adding("Retry-After", "60")
        case (.unavailable, _): page(503, "Service Temporarily Unavailable").adding("Retry-After", "30")
        }
    }

    /// The HTML page of a front server.
    static func page(_ status: Int, _ reason: String) -> Answer {
        .text(
            status,
            "<html>\r\n<head><title>\(status) \(reason)</title></head>\r\n<body>\r\n<center><h1>\(status) \(reason)"
                + "</h1></center>\r\n</body>\r\n</html>\r\n",
            type: "text/html"
        )
    }
}
