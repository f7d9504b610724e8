/// The answers of each API when a fault is drawn: in its own words, or its front server's page.
enum FaultAnswers {
    /// The answer that replaces the honest one.
    static func answer(for fault: FaultPlan.Fault, from family: APIFamily, to request: IncomingRequest) -> Answer {
        switch fault {
        case .status(let status): answer(status, from: family, to: request)
        case .cloudKit(let name):
            if let code = CloudKitErrors.Code(rawValue: name), family == .cloudKit {
                CloudKitErrors.answer(code)
            } else {
                answer(CloudKitErrors.Code(rawValue: name)?.status ?? 500, from: family, to: request)
            }
        }
    }

    private static func answer(_ status: Int, from family: APIFamily, to request: IncomingRequest) -> Answer {
        let own: Answer? =
            switch family {
            case .whatsOpen: whatsOpen(status, request)
            case .meetings: meetings(status)
            case .openData: openData(status, request)
            case .cloudKit: CloudKitErrors.Code.usual(for: status).map { CloudKitErrors.answer($0) }
            case .notices, .administration, .none: nil
            }
        return own ?? frontServer(status)
    }

    private static func whatsOpen(_ status: Int, _ request: IncomingRequest) -> Answer? {
        switch status {
        case 400: WhatsOpenErrors.detail(400, "JSON parse error - Expecting value: line 1 column 1 (char 0)")
        case 401: WhatsOpenErrors.detail(401, "Invalid token.").adding("WWW-Authenticate", "Token")
        case 403: WhatsOpenErrors.forbidden
        case 404: WhatsOpenErrors.notFound
        case 405: WhatsOpenErrors.methodNotAllowed(request.method)
        case 406: WhatsOpenErrors.notAcceptable
        case 415: WhatsOpenErrors.unsupportedType(request.header("Content-Type") ?? "")
        case 429: WhatsOpenErrors.throttled(waitSeconds: 60)
        case 500: .text(500, "<h1>Server Error (500)</h1>", type: "text/html").adding("X-Frame-Options", "SAMEORIGIN")
        default: nil
        }
    }

    private static func meetings(_ status: Int) -> Answer? {
        switch status {
        case 400: .text(400, "INVALID IDS")
        case 403: .text(403, "NOT AUTHORIZED")
        case 418: .text(418, "🫖")
        default: nil
        }
    }

    private static func openData(_ status: Int, _ request: IncomingRequest) -> Answer? {
        let action = String(request.path.split(separator: "/").last ?? "")
        switch status {
        case 400: return OpenDataErrors.search(action, request)
        case 403: return OpenDataErrors.authorization(action, request)
        case 404: return OpenDataErrors.notFound(action, request)
        case 409:
            return OpenDataErrors.validation(
                [.init(name: "limit", value: ["Must be a natural number"])],
                action,
                request
            )
        default: return nil
        }
    }

    private static func frontServer(_ status: Int) -> Answer {
        let reasons = [
            400: "Bad Request", 401: "Authorization Required", 403: "Forbidden", 404: "Not Found", 405: "Not Allowed",
            406: "Not Acceptable", 409: "Conflict", 412: "Precondition Failed", 413: "Request Entity Too Large",
            415: "Unsupported Media Type", 418: "I'm a teapot", 421: "Misdirected Request", 429: "Too Many Requests",
            500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Temporarily Unavailable",
            504: "Gateway Time-out",
        ]
        let answer = page(status, reasons[status] ?? "Error")
        return switch status {
        case 429: answer.adding("Retry-After", "60")
        case 503: answer.adding("Retry-After", "30")
        default: answer
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
