import NIOCore
import NIOHPACK
import Traffic

/// The proxy's own answer to a client, in place of an upstream's: one plain paragraph that repeats nothing of the request.
struct OwnAnswer {
    /// The status code for a failure.
    static func code(for failure: ExchangeFailure) -> Int {
        switch (failure.side, failure.cause) {
        case (.proxy, .loop): 508
        case (.proxy, .shutdown), (.proxy, .noDescriptors): 503
        case (.client, .proxyAuthentication): 407
        case (.client, .notAllowed): 403
        case (.client, _): 400
        case (_, .timeout): 504
        default: 502
        }
    }

    /// The head as fields of HTTP/2.
    let fields: HPACKHeaders
    /// The paragraph; empty for HEAD.
    let body: ByteBuffer
    /// The whole response as text: what HTTP/1 sends, and what the record shows.
    let text: ByteBuffer

    /// Spells an answer for both versions.
    ///
    /// - Parameters:
    ///   - failure: why there is no response of an upstream's.
    ///   - code: the status code.
    ///   - hasBody: false for HEAD.
    ///   - closes: whether the connection is closed behind the answer.
    ///   - version: the client's version.
    ///   - rule: the rule that has caused it; `nil` where none has.
    init(
        _ failure: ExchangeFailure,
        code: Int,
        hasBody: Bool,
        closes: Bool,
        version: HTTPVersion,
        rule: String? = nil
    ) {
        let paragraph = "\(code) \(Self.reason(code)). \(failure.message)\n"
        body = hasBody ? ByteBuffer(string: paragraph) : ByteBuffer()
        var lines = [
            ("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", String(paragraph.utf8.count)),
            ("Proxy-Status", Self.proxyStatus(failure, rule)), ("X-Content-Type-Options", "nosniff"),
            ("Content-Security-Policy", "default-src 'none'; sandbox"), ("Cache-Control", "no-store"),
        ]
        // Fields that these codes require (RFC 9110 §15.5.6, §15.5.8).
        if code == 405 { lines.append(("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")) }
        if code == 407 { lines.append(("Proxy-Authenticate", "Basic realm=\"inspect\", charset=\"UTF-8\"")) }
        if closes { lines.append(("Connection", "close")) }
        fields = HPACKHeaders([(":status", String(code))] + lines.map { (ASCII.lower($0), $1) })
        var text = ByteBuffer(
            string: version == .http2 ? "HTTP/2 \(code)\r\n" : "HTTP/1.1 \(code) \(Self.reason(code))\r\n"
        )
        for (name, value) in lines {
            text.writeString("\(version == .http2 ? ASCII.lower(name) : name): \(value)\r\n")
        }
        text.writeStaticString("\r\n")
        text.writeImmutableBuffer(body)
        self.text = text
    }

    /// What is said of the failure (RFC 9209 §2); what a rule asks for is no error.
    private static func proxyStatus(_ failure: ExchangeFailure, _ rule: String?) -> String {
        guard let rule else { return "inspect; error=\(errorType(failure))" }
        return RenderedAnswer.mark(rule, error: failure.cause == .rule ? nil : errorType(failure))
    }

    /// The error type of RFC 9209 §2.3 that fits.
    private static func errorType(_ failure: ExchangeFailure) -> String {
        switch (failure.phase, failure.cause) {
        case (_, .loop): "proxy_loop_detected"
        case (_, .shutdown): "proxy_internal_error"
        case (.dns, .timeout): "dns_timeout"
        case (.dns, _): "dns_error"
        case (.connect, .refused): "connection_refused"
        case (.connect, .timeout): "connection_timeout"
        case (.connect, .unreachable): "destination_ip_unroutable"
        case (.connect, .notAllowed): "destination_ip_prohibited"
        case (.connect, .noDescriptors) where failure.side == .proxy: "connection_limit_reached"
        case (.connect, _): "destination_unavailable"
        case (.tls, let cause) where cause.isOfCertificate: "tls_certificate_error"
        case (.tls, let cause) where cause.isUpstreamAlert: "tls_alert_received"
        case (.tls, _): "tls_protocol_error"
        case (.request, _): "http_request_error"
        case (_, .timeout): "http_response_timeout"
        case (_, let cause) where cause.isBreak: "connection_terminated"
        case (.wait, _), (.receive, _): "http_protocol_error"
        default: "proxy_internal_error"
        }
    }

    private static func reason(_ code: Int) -> String {
        switch code {
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 405: "Method Not Allowed"
        case 407: "Proxy Authentication Required"
        case 408: "Request Timeout"
        case 414: "URI Too Long"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 431: "Request Header Fields Too Large"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case 508: "Loop Detected"
        default: "Error"
        }
    }
}
