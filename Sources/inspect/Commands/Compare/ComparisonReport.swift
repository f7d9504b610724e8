import Lenses
import Traffic

/// Prints comparisons as they come, and counts them; of a long list only what differs is printed, and nothing is held but for JUnit.
final class ComparisonReport {
    /// What is printed.
    enum Form {
        /// Each comparison.
        case full
        /// Those that differ.
        case differences
        /// One JSON object with all.
        case json
    }

    /// Different things that are told of at the end, at most, of each kind.
    private static let toldLimit = 30

    private let console: Console
    private let form: Form
    private let junit: ComparisonJUnit?
    private var counts: [Comparison.Verdict: Int] = [:]
    private var ignored: [String: Int] = [:]
    private var heldBack: [String: Int] = [:]
    private var learnt: [String: Int] = [:]
    private var leftOut: [String: Int] = [:]
    private var sent: ReplayLine.Summary?
    private var hasBegun = false

    /// - Parameters:
    ///   - console: where it is printed.
    ///   - form: what is printed.
    ///   - junit: a file for a JUnit report.
    init(_ console: Console, form: Form, junit: String?) {
        self.console = console
        self.form = form
        self.junit = junit.map(ComparisonJUnit.init)
    }

    /// Whether everything stood in both sets and was the same.
    var isEqual: Bool { counts.allSatisfy { $0.key == .same || $0.value == 0 } }
    /// Whether nothing was compared.
    var isEmpty: Bool { counts.isEmpty }
    /// Why nothing was compared, of what was asked for.
    func emptiness(of terms: String) -> String {
        let reasons = leftOut.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
        return reasons.isEmpty
            ? "no exchange is selected by \(terms)"
            : "of what \(terms) selects all is left out: \(reasons.joined(separator: ", "))"
    }
    /// What could not be compared at all.
    var failedCount: Int { counts[.failed] ?? 0 }

    /// Takes a comparison.
    func add(_ comparison: Comparison) throws {
        counts[comparison.verdict, default: 0] += 1
        ignored.merge(comparison.difference?.ignored ?? [:], uniquingKeysWith: +)
        for what in comparison.heldBack { heldBack[what, default: 0] += 1 }
        for what in comparison.learnt { learnt[what, default: 0] += 1 }
        junit?.add(comparison)
        switch form {
        case .json:
            var json = JSONWriter()
            comparison.write(to: &json)
            try console.write(Array((hasBegun ? "," : "{\"comparisons\":[").utf8) + json.take())
            hasBegun = true
        case .full: try print(comparison)
        case .differences: if comparison.verdict != .same { try print(comparison) }
        }
        if console.isTerminal { try console.flush() }
    }

    /// Counts an exchange that is nothing to send.
    func leftOut(_ reason: String) { leftOut[reason, default: 0] += 1 }

    /// Takes the proxy's own count.
    func sent(_ summary: ReplayLine.Summary) { sent = summary }

    /// Prints what there is to say of all.
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
        let total = counts.values.reduce(0, +)
        let verdicts: [(Comparison.Verdict, String)] = [
            (.same, "the same"), (.changed, "changed"), (.added, "added"), (.removed, "removed"),
            (.failed, "could not be replayed"),
        ]
        let parts = verdicts.compactMap { verdict, words in counts[verdict].map { "\($0) \(words)" } }
        var lines: [String] = []
        if form != .full || total != 1 {
            lines.append("\(total) compared" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")))
        }
        if let sent, sent.sent > 1, sent.seconds > 0 {
            let rate = Double(sent.sent) / sent.seconds
            lines.append(
                "\(sent.sent) sent in \(Measure.duration(Int64(sent.seconds * 1_000_000))), \(Int(rate.rounded())) a second"
            )
        }
        if !leftOut.isEmpty { lines.append("left out: \(told(leftOut))") }
        if !heldBack.isEmpty {
            lines.append("held back from another origin: \(told(heldBack)); --send-credentials sends it")
        }
        if !learnt.isEmpty { lines.append("noise that was learnt: \(told(learnt))") }
        if !ignored.isEmpty { lines.append("passed over: \(told(ignored))") }
        return lines
    }

    private func finishJSON() throws {
        func write(_ name: String, _ counts: [String: Int], _ json: inout JSONWriter) {
            json.object(name) { json in
                for (what, count) in counts.sorted(by: { $0.key < $1.key }) { json.integer(what, count) }
            }
        }
        var json = JSONWriter()
        json.object { json in
            json.boolean("equal", isEqual)
            for verdict in [Comparison.Verdict.same, .changed, .added, .removed, .failed] {
                json.integer(verdict.rawValue, counts[verdict] ?? 0)
            }
            write("leftOut", leftOut, &json)
            write("heldBack", heldBack, &json)
            write("learnt", learnt, &json)
            write("ignored", ignored, &json)
            if let sent { json.number("seconds", sent.seconds) }
        }
        json.newline()
        // The object goes on where the list ends.
        try console.write(Array((hasBegun ? "]," : "{\"comparisons\":[],").utf8) + json.take().dropFirst())
    }
}
