/// One part of what `doctor` looks at: what works of it, and what does not.
struct DoctorCheck: Sendable {
    /// What works, as sentences without full stops.
    var works: [String] = []
    /// What does not.
    var findings: [DoctorFinding]
    /// Whether capturing does not work while one of the findings holds.
    var isVital = false

    /// A part with one sentence that holds where nothing of it is wrong; no sentence where that is not known.
    init(_ sentence: String?, findings: [DoctorFinding], isVital: Bool = false) {
        works = findings.isEmpty ? [sentence].compactMap { $0 } : []
        (self.findings, self.isVital) = (findings, isVital)
    }

    /// A part of which some works and some does not.
    init(works: [String], findings: [DoctorFinding]) {
        (self.works, self.findings) = (works, findings)
    }
}
