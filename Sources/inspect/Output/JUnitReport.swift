import Traffic

/// The outcomes of assertions as the XML that CI systems read (JUnit's, as Jenkins, GitLab and GitHub's actions take it).
struct JUnitReport {
    let name: String
    let outcomes: [Assertion.Outcome]

    /// The file.
    ///
    /// - Parameter rows: gives the lines of exchanges.
    /// - Returns: UTF-8.
    /// - Throws: what `rows` throws.
    func bytes(rows: ([ExchangeID]) throws -> [ExchangeSummary]) throws -> [UInt8] {
        let failures = outcomes.filter { !$0.holds }.count
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites tests=\"\(outcomes.count)\" failures=\"\(failures)\">",
            "  <testsuite name=\"\(JUnitReport.escaped(name))\" tests=\"\(outcomes.count)\" failures=\"\(failures)\">",
        ]
        for outcome in outcomes {
            let title = JUnitReport.escaped("\(outcome.name) \(outcome.expectation)")
            let head = "    <testcase classname=\"\(JUnitReport.escaped(name))\" name=\"\(title)\""
            guard !outcome.holds else {
                lines.append(head + "/>")
                continue
            }
            lines.append(head + ">")
            lines.append("      <failure message=\"\(JUnitReport.escaped(outcome.sentence))\">")
            for row in try rows(outcome.offending) {
                let time = row.duration.map(Measure.duration) ?? "-"
                let text = "\(row.id)  \(Facet.code.value(row))  \(row.method)  \(time)  \(row.url)"
                lines.append(JUnitReport.escaped(text))
            }
            lines += ["      </failure>", "    </testcase>"]
        }
        lines += ["  </testsuite>", "</testsuites>", ""]
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// A text within XML: what has a meaning there is written as a reference, what no XML may hold as a question mark.
    private static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "\t", "\n", "\r": out += " "
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: out += "?"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}
