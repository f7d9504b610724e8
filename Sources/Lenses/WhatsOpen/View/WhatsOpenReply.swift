import Foundation
import Traffic

/// The words for an answer of What's Open: the line under the request, and why a success is a failure.
struct WhatsOpenReply {
    private let capture: Capture
    private let request: WhatsOpenRequest
    private let answer: WhatsOpenAnswer
    private let clock: CampusClock
    private let now: Date

    init(_ capture: Capture, _ answer: WhatsOpenAnswer, clock: CampusClock) {
        self.capture = capture
        self.answer = answer
        self.clock = clock
        request = WhatsOpenRequest(capture.exchange)
        now = capture.moment
    }

    /// The answer in words, one line; `nil` where none came.
    var words: String? {
        guard let code = capture.exchange.code else { return nil }
        if code == 301 || code == 302 {
            let place = capture.responseField("Location") ?? "somewhere"
            let slash = code == 301 && place.hasSuffix("/") && !capture.path.hasSuffix("/")
            return "moved to \(place)" + (slash ? ": a slash is missing at the end, as the Android app asks" : "")
        }
        if code == 304 { return "not changed since the client asked last" }
        if code == 429 { return "throttled: more than 1,000 requests a day; \(wait)" }
        if !(200..<300).contains(code) { return refusal(code) }
        return success
    }

    /// Why an answer of status 200 is a failure; `nil` where it is none.
    var failure: String? {
        guard let code = capture.exchange.code, (200..<300).contains(code), request.method.uppercased() == "GET" else {
            return nil
        }
        // The client got the part of the body that we did not keep.
        if capture.exchange.response?.body.isTruncated == true { return nil }
        if let problem = capture.response.problem { return "The body is not whole: \(problem)." }
        guard request.isOfUs(answer) else { return nil }
        switch answer {
        case .page where request.has("format") || capture.path.hasSuffix(".json"):
            return "JSON was asked for, and a page came."
        case .refusal(let text): return "Status \(code), but the body is an error: \(text)"
        case .unreadable(let text), .foreign(let text): return "Status \(code), but the body \(text)."
        case .nothing where code == 200: return "Status 200, but there is no body."
        case .facilities(_, isList: false), .alerts(_, isList: false):
            return request.resource != nil && request.key == nil ? "A list was asked for, and one object came." : nil
        default: return nil
        }
    }

    private var success: String {
        switch answer {
        case .facilities(let facilities, isList: true):
            let open = facilities.filter { OpeningHours($0, around: now, clock: clock).status(at: now).isOpen }
            return "\(WhatsOpenResource.facilities.counted(facilities.count)), \(open.count) open at \(clock.time(now))"
        case .facilities(let facilities, isList: false):
            guard let facility = facilities.first else { return "no facility" }
            let status = OpeningHours(facility, around: now, clock: clock).status(at: now)
            return "\(facility.title): \(FacilityWords(status, at: now, clock: clock).sentence)"
        case .alerts(let alerts, isList: true):
            let active = alerts.filter { $0.isActive(at: now) }.count
            return "\(WhatsOpenResource.alerts.counted(alerts.count)), \(active) shown at \(clock.time(now))"
        case .alerts(let alerts, _): return "alert: \(alerts.first?.subject ?? "")"
        case .locations(let places, let isList):
            return isList ? WhatsOpenResource.locations.counted(places.count) : "location \(places.first?.title ?? "")"
        case .categories(let kinds, let isList):
            return isList ? WhatsOpenResource.categories.counted(kinds.count) : "category \(kinds.first?.name ?? "")"
        case .schedules(let schedules, let isList):
            return isList
                ? WhatsOpenResource.schedules.counted(schedules.count) : "schedule \(schedules.first?.name ?? "")"
        case .refusal(let text): return text
        case .root(let names): return "the API's resources: \(names.joined(separator: ", "))"
        case .page: return "the browsable page, not JSON"
        case .nothing: return request.method.uppercased() == "HEAD" ? "yes, it answers" : "no body"
        case .unreadable(let text), .foreign(let text): return "the body \(text)"
        }
    }

    private var wait: String {
        guard let seconds = capture.responseField("Retry-After").flatMap({ Int($0) }), seconds >= 0, seconds < 1_000_000
        else {
            return "it does not say for how long"
        }
        if seconds < 60 { return "again in \(seconds) s" }
        return seconds < 3600 ? "again in \(seconds / 60) min" : "again in \(seconds / 3600) h \(seconds / 60 % 60) min"
    }

    private func refusal(_ code: Int) -> String {
        let meaning =
            switch code {
            case 400: "the request is malformed"
            case 403: "a login is needed to change anything"
            case 404: "there is none of this name"
            case 405: "that method is not allowed here"
            case 406: "it has no such media type"
            case 415: "it does not read that media type"
            case 500...: "the server failed"
            default: "refused"
            }
        return switch answer {
        case .refusal(let text): "\(meaning): \(text)"
        case .page: "\(meaning), with a page for people"
        default: meaning
        }
    }
}
