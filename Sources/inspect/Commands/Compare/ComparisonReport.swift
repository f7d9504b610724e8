import Lenses
import Traffic

/// Prints comparisons as they come, and counts them; of a long list only what differs is printed, and nothing is held but for JUnit.
final class ComparisonReport: ComparisonSink {
    /// What is printed.
    enum Form {
        /// Lines for each comparison.
        case full
        /// Lines for each comparison that found a difference, as for a long list.
        case differences
        /// One JSON object with every comparison.
        case json
    }

    /// Names in each line of the summary, at most.
    private static let toldLimit = 30

    private let console: Console
    private let form: Form
    private let junit: ComparisonJUnit?
    private var counted = ComparisonSummary()
    private var sent: ReplayLine.Summary?
    private var hasBegun = false

    /// - Parameters:
    ///   - console: where the report is printed.
    ///   - form: the form of the output.
    ///   - junit: the path of a file for a JUnit report; `nil` writes none.
    init(_ console: Console, form: Form, junit: String?) {
        self.console = console
        self.form = form
        self.junit = junit.map(ComparisonJUnit.init)
    }

    /// Whether every comparison found the two sides the same.
    var isEqual: Bool { counted.isEqual }
    /// Whether nothing was compared.
    var isEmpty: Bool { counted.counts.isEmpty }
    /// Why nothing was compared, of what was asked for.
    func emptiness(of terms: String) -> String { counted.emptiness(of: terms) }
    /// What could not be compared at all.
    var failedCount: Int { counted.counts[.failed] ?? 0 }

    /// Prints a comparison, as far as the form wants it, and counts it.
    func add(_ comparison: Comparison) throws {
        counted.add(comparison)
        junit?.add(comparison)
        switch form {
        case .json:
            let json = JSONWriter.bytes { comparison.write(to: &$0) }
            try console.write(Array((hasBegun ? "," : "{\"comparisons\":[").utf8) + json)
            hasBegun = true
        case .full: try print(comparison)
        case .differences: if comparison.verdict != .same { try print(comparison) }
        }
        if console.isTerminal { try console.flush() }
    }

    /// Counts an exchange that cannot be sent again.
    func leftOut(_ reason: String) { counted.leaveOut(for: reason) }

    /// Keeps the proxy's own count of what it sent.
    func sent(_ summary: ReplayLine.Summary) { sent = summary }

    /// Prints the summary, and writes the JUnit report.
    func finish() throws {
        if form == .json {
            try finishJSON()
        } else {
            for line in summary { try console.line(VisibleText.line(line)) }
        }
        try console.flush()
        try junit?.finish()
    }

    private func print(_ comparison: Comparison) throws {
        let colour: Style.Colour =
            switch comparison.verdict {
            case .same: .green
            case .changed, .removed, .failed: .red
            case .added: .yellow
            }
        let mark = console.style.paint(comparison.verdict.rawValue, colour)
        var line = "\(mark)  \(VisibleText.line(comparison.name))  \(comparison.numbers)"
        let rows = [comparison.left, comparison.right].compactMap { $0 }
        line += "  " + rows.map(ComparisonReport.measure).joined(separator: " → ")
        try console.line(line)
        for line in comparison.lines { try console.line("  " + VisibleText.line(line)) }
    }

    /// `200 2.4 ms 512 B`.
    private static func measure(_ row: ExchangeSummary) -> String {
        let code = row.code.map(String.init) ?? row.outcome.rawValue
        return "\(code) \(row.duration.map(Measure.duration) ?? "open") \(row.responseBytes) B"
    }

    private var summary: [String] {
        func told(_ counts: [String: Int]) -> String {
            let listed = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(ComparisonReport.toldLimit)
            let rest = counts.count - listed.count
            return listed.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
                + (rest > 0 ? " and \(rest) more" : "")
        }
        let verdicts: [(Comparison.Verdict, String)] = [
            (.same, "the same"), (.changed, "changed"), (.added, "added"), (.removed, "removed"),
            (.failed, "could not be replayed"),
        ]
        let parts = verdicts.compactMap { verdict, words in counted.counts[verdict].map { "\($0) \(words)" } }
        var lines: [String] = []
        if form != .full || counted.total != 1 {
            lines.append("\(counted.total) compared" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")))
        }
        if let sent, sent.sent > 1, sent.seconds > 0 {
            let rate = Double(sent.sent) / sent.seconds
            lines.append(
                "\(sent.sent) sent in \(Measure.duration(Int64(sent.seconds * 1_000_000))), \(Int(rate.rounded())) a second"
            )
        }
        if !counted.leftOut.isEmpty { lines.append("left out: \(told(counted.leftOut))") }
        if !counted.heldBack.isEmpty {
            lines.append("held back from another origin: \(told(counted.heldBack)); --send-credentials sends it")
        }
        if !counted.learnt.isEmpty { lines.append("noise that was learnt: \(told(counted.learnt))") }
        if !counted.ignored.isEmpty { lines.append("passed over: \(told(counted.ignored))") }
        return lines
    }

    private func finishJSON() throws {
        let json = JSONWriter.bytes { json in
            json.object { json in
                counted.write(to: &json)
                if let sent { json.number("seconds", sent.seconds) }
            }
            json.newline()
        }
        // The object goes on where the list ends.
        try console.write(Array((hasBegun ? "]," : "{\"comparisons\":[],").utf8) + json.dropFirst())
    }
}
