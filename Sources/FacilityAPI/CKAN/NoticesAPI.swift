/// The city's public notices, which its app asks for over plain HTTP.
enum NoticesAPI {
    private static let notices: [(id: Int, title: String)] = [
        (2871, "Notice of Public Meeting: Zoning of Harbour Street"),
        (2874, "Notice of Intention to Designate the Old Fire Hall"),
        (2880, "Road Closing: Part of Elm Lane"),
        (2883, "Fees for Ferry Docks from January"),
        (2891, "Notice of Passing: Patio By-law, Café Seating"),
    ]

    /// The answer to the list, or to one notice's page.
    static func answer(to request: IncomingRequest) -> Answer {
        guard ["GET", "HEAD"].contains(request.method) else {
            return FaultAnswers.page(405, "Method Not Allowed").adding("Allow", "GET, HEAD")
        }
        if request.path == "/nm/notices.json" {
            let records = notices.map { notice -> JSON in
                ["noticeId": .int(notice.id), "title": .string(notice.title)]
            }
            return .json(200, ["Records": .array(records)], type: "application/json;charset=UTF-8")
        }
        if let match = request.path.wholeMatch(of: #/\/nm\/api\/individual\/notice\/(\d{1,9})\.do/#),
            let notice = notices.first(where: { $0.id == Int(match.1) })
        {
            let title = notice.title.htmlEscaped
            return .text(200, "<html><head><title>\(title)</title></head><body><h1>\(title)</h1></body></html>\n")
        }
        return FaultAnswers.page(404, "Not Found")
    }
}
