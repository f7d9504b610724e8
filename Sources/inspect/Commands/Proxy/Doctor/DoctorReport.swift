import Traffic

/// What `inspect doctor` shows: what works, everything that is wrong with the command that fixes it, and one conclusion.
struct DoctorReport: Report {
    let checks: [DoctorCheck]

    /// Everything that is wrong, in the order in which to fix it.
    var findings: [DoctorFinding] { checks.flatMap(\.findings) }

    private var works: [String] { checks.flatMap(\.works) }

    /// What all of it means for the traffic, and what to do first.
    var conclusion: String {
        guard let first = findings.first else { return "ok: what is sent through the proxy is captured" }
        if let vital = checks.first(where: { $0.isVital && !$0.findings.isEmpty })?.findings.first {
            return "Capturing does not work; begin with: \(vital.mend)"
        }
        let count = findings.count.counted("thing is not as it should be", "things are not as they should be")
        return "Capturing works, but \(count); begin with: \(first.mend)"
    }

    /// Writes `{"ok","conclusion","works":[],"findings":[{"problem","mend"}]}`.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.boolean("ok", findings.isEmpty)
            json.string("conclusion", conclusion)
            json.array("works") { json in for sentence in works { json.string(nil, sentence) } }
            json.objects("findings", findings) { finding, json in
                json.string("problem", finding.problem)
                json.string("mend", finding.mend)
            }
        }
    }

    func lines(in layout: Layout) -> [String] {
        let wrong = findings.flatMap { [layout.style.paint($0.problem, .red), "  fix: " + $0.mend] }
        let parts = [works.map { layout.style.paint("works", .green) + "  " + $0 }, wrong, [conclusion]]
        return Array(parts.filter { !$0.isEmpty }.joined(separator: [""]))
    }
}
