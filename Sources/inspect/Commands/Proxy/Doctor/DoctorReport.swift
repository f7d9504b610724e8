import Traffic

/// What `inspect doctor` shows: everything that is wrong, each with the command that fixes it.
struct DoctorReport: Report {
    let findings: [DoctorFinding]

    /// Writes `{"ok","findings":[{"problem","mend"}]}`.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.boolean("ok", findings.isEmpty)
            json.objects("findings", findings) { finding, json in
                json.string("problem", finding.problem)
                json.string("mend", finding.mend)
            }
        }
    }

    func lines(in layout: Layout) -> [String] {
        guard !findings.isEmpty else { return ["ok"] }
        return findings.flatMap { [layout.style.paint($0.problem, .red), "  fix: " + $0.mend] }
    }
}
