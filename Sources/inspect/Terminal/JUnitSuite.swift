import Traffic

/// Results as JUnit XML, which build servers read: one suite, one test case for each.
struct JUnitSuite {
    /// One result.
    struct Case {
        var name: String
        /// What came out, one line.
        var sentence: String
        var isFailure: Bool
        /// What speaks against it, a line each.
        var details: [String] = []
    }

    /// The command that made the results: `assert`.
    let command: String
    let title: String
    let cases: [Case]
    /// What holds for all results, one line; `nil` for nothing.
    let note: String?

    init(command: String, title: String, cases: [Case], note: String?) {
        self.command = command
        self.title = title
        self.cases = cases
        self.note = note
    }

    /// The suite of `inspect assert`.
    init(_ report: AssertReport) {
        self.init(
            command: "assert",
            title: report.title,
            cases: report.results.map { result in
                let rows = result.offenders.map { row in
                    let time = row.duration.map { " " + Measure.duration($0) } ?? ""
                    return "\(row.id) \(Facet.code.value(row)) \(row.method) \(row.url)\(time)"
                }
                let rest = result.offenderCount - rows.count
                return Case(
                    name: result.assertion.name,
                    sentence: AssertReport.sentence(result),
                    isFailure: !result.holds,
                    details: rows + (rest > 0 ? ["and \(rest) more"] : [])
                )
            },
            note: Listing.partSentence(report.searchedInPart)
        )
    }

    /// The XML document.
    var text: String {
        let failures = cases.count { $0.isFailure }
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
        lines.append(
            #"<testsuite name="\#(JUnitSuite.escaped("inspect \(command): \(title)"))" tests="\#(cases.count)" failures="\#(failures)" errors="0">"#
        )
        for result in cases {
            let name = JUnitSuite.escaped(result.name)
            let sentence = JUnitSuite.escaped(result.sentence)
            lines.append(#"  <testcase classname="inspect.\#(command)" name="\#(name)">"#)
            if result.isFailure {
                let listed = result.details.map(JUnitSuite.escaped)
                lines.append(#"    <failure message="\#(sentence)">\#(listed.joined(separator: "\n"))</failure>"#)
            } else {
                lines.append("    <system-out>\(sentence)</system-out>")
            }
            lines.append("  </testcase>")
        }
        if let note { lines.append("  <system-out>\(JUnitSuite.escaped(note))</system-out>") }
        lines.append("</testsuite>")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Text for an element or an attribute; control characters and what is unassigned, which XML 1.0 has no place for, were made visible before.
    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in VisibleText.line(text).unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
