import Crypto
import Foundation

/// What's Open v2: routes, permissions, forms and refusals in the order Django and its REST framework go through them.
struct WhatsOpenAPI: Sendable {
    private let data: WhatsOpenRecords
    private let views: WhatsOpenViews
    private let throttle: Throttle?
    private let sessions = LoginSessions()

    /// The API over data that others may change too.
    ///
    /// - Throws: ``FacilityAPIError`` when this machine lacks the zone of the server's clock.
    init(configuration: FacilityAPIConfiguration, time: WallTime, records: WhatsOpenRecords) throws {
        data = records
        let hours = ServerHours(time: try WallTime(zone: configuration.hoursZone))
        views = WhatsOpenViews(time: time, hours: hours, version: configuration.apiVersion)
        throttle = configuration.throttleLimit.map { Throttle(limit: $0) }
    }

    /// The answer to a request below one of the bases, or to `/`.
    func answer(to request: IncomingRequest) async -> Answer {
        if request.path == LoginPage.path { return await LoginPage(sessions: sessions).answer(to: request) }
        if request.path == "/" { return Self.redirect(302, to: "/api") }
        switch WhatsOpenTarget.reading(request.path) {
        case .unknown: return WhatsOpenErrors.unknownPath(request.path)
        case .redirect(let path):
            return Self.redirect(301, to: path + (request.rawQuery.map { "?\($0)" } ?? ""))
        case .target(let target):
            return await answer(to: request, at: target)
        }
    }

    private static func redirect(_ status: Int, to location: String) -> Answer {
        Answer(
            status,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Location", location),
                ("X-Frame-Options", "SAMEORIGIN"),
            ]
        )
    }

    /// Checks negotiation, then credentials, then the throttle, then the view: the framework's order, so that its refusals win in its order.
    private func answer(to request: IncomingRequest, at target: WhatsOpenTarget) async -> Answer {
        let form: ContentNegotiation.Form
        let format = target.suffix ?? request.query.value("format").flatMap { $0.isEmpty ? nil : $0 }
        switch ContentNegotiation.outcome(format: format, accept: request.header("Accept")) {
        case .form(let chosen): form = chosen
        case .unknownFormat: return finished(WhatsOpenErrors.notFound, target)
        case .notAcceptable: return finished(WhatsOpenErrors.notAcceptable, target)
        }
        if let refusal = await refusal(of: request) {
            return rendered(refusal, form: form, request: request, target: target)
        }
        let view = await views.answer(to: request, at: target, data: data)
        return conditional(
            rendered(
                request.alterations.applied(to: view.answer, path: request.path),
                form: form,
                request: request,
                target: target,
                remark: view.remark
            ),
            request
        )
    }

    private func refusal(of request: IncomingRequest) async -> Answer? {
        let isWrite = ["POST", "PUT", "PATCH", "DELETE"].contains(request.method)
        let credentials: Credentials
        if let user = await sessions.user(of: request.cookie("sessionid")) {
            let token = request.cookie("csrftoken")
            if isWrite, token == nil || request.header("X-CSRFToken") != token { return WhatsOpenErrors.missingToken }
            credentials = user
        } else {
            credentials = Credentials(authorization: request.header("Authorization"))
        }
        if credentials == .wrong { return WhatsOpenErrors.wrongPassword }
        if isWrite {
            if credentials == .anonymous { return WhatsOpenErrors.anonymous }
            if credentials == .reader { return WhatsOpenErrors.forbidden }
        } else if !["GET", "HEAD", "OPTIONS"].contains(request.method) {
            return WhatsOpenErrors.methodNotAllowed(request.method)
        }
        if credentials == .anonymous, let throttle {
            let client = request.header("X-Forwarded-For") ?? request.remoteAddress
            if let wait = await throttle.secondsToWait(client: client, now: request.now) {
                return WhatsOpenErrors.throttled(waitSeconds: wait)
            }
        }
        return nil
    }

    /// Renders an answer in the negotiated form.
    private func rendered(
        _ answer: Answer,
        form: ContentNegotiation.Form,
        request: IncomingRequest,
        target: WhatsOpenTarget,
        remark: String? = nil
    ) -> Answer {
        var answer = finished(answer, target)
        guard form == .page, answer.status != 204 else { return answer }
        let html = BrowsablePage.html(
            title: WhatsOpenViews.name(of: target),
            request: request,
            answer: answer,
            body: answer.value ?? .null,
            remark: remark
        )
        answer.headers.removeAll { $0.name == "Content-Type" }
        answer.headers.insert(("Content-Type", "text/html; charset=utf-8"), at: 0)
        answer.body = Array(html.utf8)
        return answer
    }

    /// Adds the fields every answer of the framework carries.
    private func finished(_ answer: Answer, _ target: WhatsOpenTarget) -> Answer {
        var answer = answer
        answer.headers.removeAll { $0.name == "X-Frame-Options" }
        answer.headers += [
            ("Allow", WhatsOpenViews.allowedMethods(of: target).joined(separator: ", ")),
            ("Vary", "Accept, Cookie"),
            ("X-Frame-Options", "SAMEORIGIN"),
        ]
        return answer
    }

    /// Adds a validator to a GET or HEAD that went well, and answers 304 where the client has that body (RFC 9110 §13.1.2).
    private func conditional(_ answer: Answer, _ request: IncomingRequest) -> Answer {
        guard answer.status == 200, ["GET", "HEAD"].contains(request.method) else { return answer }
        let digest = SHA256.hash(data: answer.body).prefix(16)
        let tag = "\"" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\""
        let known = (request.header("If-None-Match") ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces).replacing(#/^W\//#, with: "")
        }
        guard known.contains(tag) || known == ["*"] else { return answer.adding("ETag", tag) }
        let kept = answer.headers.filter { ["Vary", "X-Frame-Options"].contains($0.name) }
        return Answer(304, headers: kept + [("ETag", tag)])
    }
}
