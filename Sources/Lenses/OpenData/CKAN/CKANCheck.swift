import Traffic

/// A check of one exchange with the portal against the rules.
struct CKANCheck {
    let reading: CKANReading
    private let capture: Capture
    private var sample = CheckSample(limitOfRule: 10)

    init(_ capture: Capture) {
        self.capture = capture
        reading = CKANReading(capture)
        checkRequest()
        if capture.exchange.response != nil, !["HEAD", "OPTIONS"].contains(capture.exchange.method) { checkAnswer() }
    }

    /// What in the exchange breaks the rules.
    var findings: [CheckFinding] { sample.findings }

    /// Adds a finding.
    mutating func add(_ rule: CheckRule, in side: MessageSide = .response, at pointer: String = "", _ message: String) {
        sample.add(CheckFinding(rule, in: side, at: pointer, message))
    }

    private mutating func checkRequest() {
        let request = reading.request
        if let order = request.misplacedOrder {
            add(CKANRule.order, in: .request, "“\(order)” stands inside fq, not in sort")
        }
        if let tag = request.unquotedTag {
            add(CKANRule.tag, in: .request, "the tag “\(tag)” stands without quotes")
        }
        if let title = request.titleAsID {
            add(CKANRule.title, in: .request, "“\(title)” is a title where \(request.action) wants a name or id")
        }
    }

    private mutating func checkAnswer() {
        guard reading.request.isCall, let code = reading.code, code != 304, code != 204 else { return }
        if code >= 500 || code == 429 { return add(CKANRule.answered, "the portal answered \(code)") }
        if reading.request.isRecentlyChanged, [400, 404].contains(code) {
            add(
                CKANRule.activities,
                "\(reading.request.action) was answered with \(code): \(reading.answer.failure ?? "")"
            )
            return
        }
        switch reading.answer {
        case .nothing: if reading.isAccepted { add(CKANRule.envelope, "the answer has no body") }
        case .result(let result):
            if code >= 400 { add(CKANRule.success, at: "/success", "success is true, the status is \(code)") }
            checkHelp()
            checkResult(result)
        case .refused(let refusal): check(refusal, code: code)
        case .sentence(let text):
            let rule = code >= 400 ? CKANRule.accepted : CKANRule.envelope
            add(rule, "the answer is a bare string: “\(text.prefix(200))”")
        case .page(let title):
            let words = title.isEmpty ? "an HTML page" : "an HTML page, “\(title)”"
            add(code == 404 ? CKANRule.missingPage : CKANRule.envelope, "the answer (\(code)) is \(words)")
        case .foreign(let value): add(CKANRule.envelope, "the answer is \(value.kind) without success and result")
        case .unreadable(let problem):
            // A body that we did not keep whole is not the portal's fault.
            if capture.exchange.response?.body.isTruncated == true, capture.exchange.outcome == .completed { return }
            add(CKANRule.envelope, problem)
        }
    }

    private mutating func check(_ refusal: CKANRefusal, code: Int) {
        checkHelp()
        if (200..<300).contains(code) {
            add(CKANRule.ignored, at: "/success", "success is false, the status is \(code): \(refusal.sentence)")
        }
        if refusal.type == nil {
            add(CKANRule.error, at: "/error", "the error has no __type")
        } else if let status = refusal.status, status != code, code >= 400 {
            add(
                CKANRule.error,
                at: "/error/__type",
                "a \(refusal.type ?? "") goes with \(status), the status is \(code)"
            )
        }
        guard code >= 400 else { return }
        if refusal.parameters.isEmpty { return add(CKANRule.accepted, at: "/error", refusal.sentence) }
        for parameter in refusal.parameters {
            let complaint = parameter.complaints.joined(separator: "; ")
            add(
                CKANRule.accepted,
                at: JSONPointer.child(parameter.name, of: "/error"),
                "\(parameter.name): \(complaint)"
            )
        }
    }

    private mutating func checkHelp() {
        if !reading.hasHelp { add(CKANRule.envelope, at: "/help", "the envelope has no help") }
    }
}
