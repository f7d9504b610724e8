import Traffic

/// Assertions as a JUnit report, which build servers read: one suite, one test case for each.
struct JUnitReport {
    let title: String
    let results: [AssertionRun.Result]

    /// The XML document.
    var text: String {
        let failures = results.count { !$0.holds }
        var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
        lines.append(
            #"<testsuite name="\#(JUnitReport.escaped("inspect assert: \(title)"))" tests="\#(results.count)" failures="\#(failures)" errors="0">"#
        )
        for result in results {
            let name = JUnitReport.escaped(result.assertion.name)
            let measured = JUnitReport.escaped(AssertionView.sentence(result))
            lines.append(#"  <testcase classname="inspect.assert" name="\#(name)">"#)
            if result.holds {
                lines.append("    <system-out>\(measured)</system-out>")
            } else {
                let rows = result.offenders.map { row in
                    let time = row.duration.map { " " + Measure.duration($0) } ?? ""
                    return "\(row.id) \(Facet.code.value(row)) \(row.method) \(row.url)\(time)"
                }
                let rest = result.offenderCount - rows.count
                let listed = (rows + (rest > 0 ? ["and \(rest) more"] : [])).map(JUnitReport.escaped)
                lines.append(#"    <failure message="\#(measured)">\#(listed.joined(separator: "\n"))</failure>"#)
            }
            lines.append("  </testcase>")
        }
        lines.append("</testsuite>")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Text for an element or an attribute; control characters and what is unassigned, which XML 1.0 has no place for, were made visible before.
    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in TerminalText.escaped(text).unicodeScalars {
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
