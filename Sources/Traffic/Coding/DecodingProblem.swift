/// What is wrong with coded bytes.
struct DecodingProblem: Error {
    /// The fault in words, without a full stop.
    private let fault: String
    /// Whether the bad bytes follow the end of the coding, which itself was undone.
    let isBehindEnd: Bool

    private init(_ fault: String, isBehindEnd: Bool = false) {
        self.fault = fault
        self.isBehindEnd = isBehindEnd
    }

    /// One sentence for the user who sees what was decoded before.
    var sentence: String { isBehindEnd ? "\(fault); they are left out." : "\(fault); what came before is shown." }

    /// One sentence for the user who sees the bytes as they were, because nothing could be decoded.
    var sentenceAsSent: String { "\(fault) before anything could be decoded, so the body is shown with it." }

    static func damaged(_ coding: String, _ detail: String) -> DecodingProblem {
        DecodingProblem("The \(coding) coding is damaged (\(detail))")
    }

    static func cutShort(_ coding: String) -> DecodingProblem {
        DecodingProblem("The \(coding) coding ends early")
    }

    static func goesOn(_ coding: String, _ count: Int) -> DecodingProblem {
        DecodingProblem("Bytes follow the end of the \(coding) coding (\(count) or more)", isBehindEnd: true)
    }
}
