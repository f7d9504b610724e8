import Traffic

/// An exchange with the city's notices: their list, or the page of one notice.
struct NoticesReading {
    private let capture: Capture
    /// The list's `Records`; `nil` where the answer has none.
    private let records: [JSONValue]?
    /// The page of one notice; `nil` where the answer is no page.
    private let page: HTMLPage?
    private let problem: String?

    init(_ capture: Capture) {
        self.capture = capture
        var problem: String?
        var records: [JSONValue]?
        do throws(ExactJSON.Problem) {
            records = try capture.response.strictJSON()["Records"]?.elements
            if records == nil { problem = "the answer has no Records" }
        } catch {
            problem = "the body \(error)"
        }
        (self.records, self.problem) = (records, problem)
        page = HTMLPage(ByteText.repaired(capture.response.bytes.prefix(HTMLPage.limitBytes)))
    }

    /// The notices of a list.
    var notices: [PublicNotice] { (records ?? []).compactMap { PublicNotice($0) } }

    /// The number of the notice whose page is asked for; `nil` for the list.
    private var id: Int64? { PublicNotice.id(inPath: capture.path) }
    private var isPage: Bool { capture.path.contains("/individual/notice/") }
    /// Whether the exchange is about the list; the host also serves the scripts and styles of its pages.
    private var isList: Bool { capture.path == NoticesReading.listPath || records != nil }

    /// The path at which the app asks for the list.
    static let listPath: Substring = "/nm/notices.json"

    /// The request in words.
    var sentence: String {
        if isPage { return "Notice \(id.map { String($0) } ?? "without a number")" }
        guard isList else { return "No notice: \(capture.path)" }
        let items = QueryString.items(capture.exchange.target).filter { !$0.value.isEmpty }
        let words = items.map { item in
            switch item.name {
            case "noticeDateFrom": "from \(item.value)"
            case "noticeDateTo": "until \(item.value)"
            case "locationId": "location \(item.value)"
            default: "\(item.name) \(item.value)"
            }
        }
        return (["Notices"] + words).joined(separator: ", ")
    }

    var response: String? {
        guard let code = capture.exchange.code else { return nil }
        if isPage, let page { return (200..<300).contains(code) ? "“\(page.title)”" : "\(code): “\(page.title)”" }
        if let records { return records.count.counted("notice") }
        guard isList else { return "\(code), no answer of the notices" }
        return "\(code): \(page.map { "the HTML page “\($0.title)”" } ?? problem ?? "no body")"
    }

    var failure: String? {
        guard let code = capture.exchange.code, (200..<300).contains(code), capture.exchange.method == "GET" else {
            return nil
        }
        if isPage { return page == nil ? "the body is no page; the app opens an empty one" : nil }
        return isList && records == nil ? "\(problem ?? "the answer has no Records"); \(CKANReading.noData)" : nil
    }

    var sections: [LensSection] {
        if isPage {
            guard let page else { return [] }
            var fields = [LensField("Title", page.title)]
            if let id { fields.append(LensField("Address", PublicNotice(id: id, title: "").link)) }
            return [LensSection("Page", .fields(fields))]
        }
        guard records != nil else { return [] }
        return [PublicNotice.section(notices)]
    }

    /// Finds what in the exchange breaks the rules.
    var findings: [CheckFinding] {
        var findings: [CheckFinding] = []
        guard isPage || isList else { return [] }
        if capture.exchange.scheme == .http {
            findings.append(CheckFinding(CKANRule.plain, in: .request, "\(capture.exchange.host) was asked over http"))
        }
        guard let code = capture.exchange.code, capture.exchange.method == "GET", code != 304 else { return findings }
        if code >= 500 || code == 429 {
            return findings + [CheckFinding(CKANRule.answered, "the server answered \(code)")]
        }
        if isPage {
            if page == nil || code >= 400 {
                findings.append(
                    CheckFinding(CKANRule.noticePage, "notice \(id.map { String($0) } ?? "") was answered with \(code)")
                )
            }
            return findings
        }
        guard let records else {
            return findings + [CheckFinding(CKANRule.notices, "\(code): \(problem ?? "the answer has no Records")")]
        }
        var sample = CheckSample(limitOfRule: 20)
        for (index, record) in records.enumerated() {
            let missing = [
                PublicNotice(record) == nil ? "noticeId" : nil, Dataset.text(record["title"]) == nil ? "title" : nil,
            ].compactMap { $0 }
            guard !missing.isEmpty else { continue }
            let message = "\(missing.joined(separator: " and ")) \(missing.count == 1 ? "is" : "are") missing"
            sample.add(CheckFinding(CKANRule.notices, at: "/Records/\(index)", message))
        }
        return findings + sample.findings
    }
}

extension PublicNotice {
    /// A table of notices.
    package static func section(_ notices: [PublicNotice]) -> LensSection {
        let rows = notices.map { [LensText(String($0.id)), LensText($0.title), LensText($0.link, .faint)] }
        return LensSection("Notices", .table(LensTable(columns: ["id", "title", "page"], rows: rows)))
    }
}
