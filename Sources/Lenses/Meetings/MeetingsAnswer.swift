package import Traffic

/// An answer of the meeting server, by what it holds.
package enum MeetingsAnswer: Sendable {
    case list(MeetingList)
    /// The answer to `?info`.
    case info(JSONValue)
    /// The answer to `?update` that fetched something.
    case update(JSONValue)
    /// Any other JSON.
    case other(JSONValue)
    /// An answer that is no JSON: a refusal, an empty body or a broken one, in one sentence.
    case words(String)
    /// There is no answer.
    case none

    /// Reads the response of an exchange.
    package init(_ capture: Capture) {
        guard let code = capture.exchange.code else {
            self = .none
            return
        }
        let body = capture.response
        let text = String(decoding: body.bytes.prefix(200), as: UTF8.self)
        let start = text.first { !$0.isWhitespace }
        switch code {
        case 204: self = .words("nothing was due to be fetched")
        case 400 where text.hasPrefix("INVALID IDS"): self = .words("the ids cannot be read (INVALID IDS)")
        case 403: self = .words("not allowed (NOT AUTHORIZED)")
        case 418: self = .words("the server has no such function (I'm a teapot)")
        case 200 where body.isEmpty: self = .words("nothing at all: no function was named")
        case _ where start == "{": self = MeetingsAnswer.json(body)
        case 200: self = .words("200, but no JSON")
        default: self = .words("\(code)")
        }
    }

    private static func json(_ body: CapturedBody) -> MeetingsAnswer {
        do throws(ExactJSON.Problem) {
            if let list = try MeetingList(body) { return .list(list) }
            let value = try body.strictJSON()
            if value["server_version"] != nil { return .info(value) }
            return value["number_of_meetings"] != nil ? .update(value) : .other(value)
        } catch {
            return .words("the body \(error)")
        }
    }
}
