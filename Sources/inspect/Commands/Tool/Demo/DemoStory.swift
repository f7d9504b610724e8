import Lenses
import Store
import Traffic

/// What the exchanges of a run tell, in a heading and at most ten lines: who sent what, what failed, what the iPhone app shows wrong, what changed,
/// and what `inspect check` makes of it.
///
/// It reads everything from the store, so it is true of whatever apps, servers and data there were.
struct DemoStory {
    /// Apps that have a line of their own; the others share the last.
    private static let senderLimit = 5
    /// The longest line, in characters; the last one is as long as its command makes it.
    private static let lineLimit = 220

    /// What one app sent.
    private struct Sender {
        var count = 0
        /// Requests by the last part of their path.
        var subjects: [String: Int] = [:]
    }

    private let range: ClosedRange<ExchangeID>
    /// The option that has a command read this store; empty for the store that it reads by itself.
    private let storeOption: String
    private var count = 0
    private var senders: [String: Sender] = [:]
    /// Exchanges of no known app.
    private var strangers = Sender()
    /// Exchanges that went wrong: answers of 400 and more by their code, the others by the word of their `FailureKind`.
    private var failures: [String: Int] = [:]
    private var firstFailure: ExchangeSummary?
    /// Answers that say 200 and are failures, with what the lens says.
    private var inside: [(id: ExchangeID, sentence: String)] = []
    private let campus: DemoCampusWeek?
    private let check: CheckRun

    /// The answers that differ from an earlier one of the same endpoint.
    var changes: [CheckRun.Change] { check.changes }

    /// Reads a run.
    ///
    /// - Parameters:
    ///   - store: where it is.
    ///   - range: its first and last exchange.
    ///   - storeOption: the option that has a command read this store; empty for the store that it reads by itself.
    /// - Throws: what the store throws.
    init(_ store: TrafficStore, _ range: ClosedRange<ExchangeID>, storeOption: String) throws {
        self.range = range
        self.storeOption = storeOption
        let filter = Filter(.test(.number(.id, [range])))
        var check = CheckRun(selects: { _ in true }, document: nil, shownLimit: 1, lenses: .standard)
        try check.add(CheckSelection(filter), in: store)
        self.check = check
        campus = try DemoCampusWeek(store, filter)
        let reader = ExchangeReader(store)
        try reader.each(filter) { row in
            guard let record = try reader.find(row.id) else { return }
            add(row, try Capture(record, source: store.body))
        }
    }

    private mutating func add(_ row: ExchangeSummary, _ capture: Capture) {
        count += 1
        let subject = DemoStory.subject(row)
        if let client = row.clientName {
            senders[client, default: Sender()].count += 1
            senders[client, default: Sender()].subjects[subject, default: 0] += 1
        } else {
            strangers.count += 1
            strangers.subjects[subject, default: 0] += 1
        }
        if let kind = row.failureKind {
            let code = kind == .errorStatus ? row.code : nil
            failures[code.map(String.init) ?? kind.rawValue, default: 0] += 1
            firstFailure = firstFailure ?? row
        } else if let lens = LensSet.standard.lens(of: capture), let sentence = lens.view(capture).failure {
            inside.append((row.id, "\(lens.title): \(sentence)"))
        }
    }

    /// The last part of a path, with the query's first word where that has no value: it names the request where one address answers everything.
    private static func subject(_ row: ExchangeSummary) -> String {
        if row.method == "CONNECT" { return "a tunnel" }
        let parts = row.target.split(separator: "?", maxSplits: 1)
        let name = parts.first?.split(separator: "/").last.map(String.init) ?? "/"
        guard let word = parts.dropFirst().first?.split(separator: "&").first, !word.contains("=") else { return name }
        return "\(name)?\(word)"
    }

    // MARK: lines

    /// The heading and the lines.
    var lines: [String] {
        let apps = senders.count.counted("app")
        let heading = "What \(count.counted("exchange of \(apps) tells", "exchanges of \(apps) tell"))"
        let told = (senderLines + [failureLine, insideLine, phoneLine, changeLine]).map { line in
            let text = VisibleText.line(line)
            return "  " + (text.count > DemoStory.lineLimit ? "\(text.prefix(DemoStory.lineLimit - 1))…" : text)
        }
        // Its end is a command, which would be another one if it were cut.
        return [heading] + told + ["  " + VisibleText.line(checkLine)]
    }

    /// At most five lines, the busiest app first.
    private var senderLines: [String] {
        let sorted = senders.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }
        let isTooMany = sorted.count > DemoStory.senderLimit
        let own = sorted.prefix(isTooMany ? DemoStory.senderLimit - 1 : DemoStory.senderLimit)
        var lines = own.map { "\($0.key) sent \($0.value.count): \(DemoStory.list($0.value.subjects))" }
        if isTooMany {
            let rest = sorted.dropFirst(own.count)
            lines.append("\(rest.count) more apps sent \(rest.reduce(0) { $0 + $1.value.count })")
        }
        guard strangers.count > 0 else { return lines }
        let words = "\(strangers.count) of no known app: \(DemoStory.list(strangers.subjects))"
        if lines.isEmpty { return [words] }
        lines[lines.count - 1] += "; \(words)"
        return lines
    }

    private var failureLine: String {
        guard let first = firstFailure else { return "No exchange failed, and none has an error status." }
        let total = failures.values.reduce(0, +)
        let kinds = failures.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
        return "Failed or with an error status: \(total) (\(kinds.joined(separator: ", "))), "
            + "first exchange \(first.id), \(first.method) \(first.target.prefix { $0 != "?" })"
    }

    private var insideLine: String {
        guard let first = inside.first else { return "No answer said 200 and failed inside." }
        let rest = inside.dropFirst().map { String($0.id) }.joined(separator: ", ")
        return "Said 200 and failed inside: \(inside.count)\(rest.isEmpty ? "" : " (\(first.id), \(rest))"); "
            + "exchange \(first.id), \(first.sentence)"
    }

    private var phoneLine: String {
        campus?.sentence ?? "No list of facilities was captured, so the iPhone app shows none wrong."
    }

    private var changeLine: String {
        guard !check.changes.isEmpty else { return "No answer changed between two captures of one endpoint." }
        let parts = check.changes.prefix(2).map { change in
            let more = change.sentences.count > 1 ? " and \(change.sentences.count - 1) more" : ""
            return "\(change.before) → \(change.after.id) \(change.sentences.first ?? "")\(more)"
        }
        let rest = check.changeCount - parts.count
        return "Changed between captures: \(parts.joined(separator: "; "))\(rest > 0 ? "; and \(rest) more" : "")"
    }

    private var checkLine: String {
        let broken = check.outcomes.filter { $0.rule.severity == .breach && $0.count > 0 }
        let command = "inspect check \(range.lowerBound)..\(range.upperBound)\(storeOption)"
        guard !broken.isEmpty else { return "Checked without a breach: \(command)" }
        let counts = Dictionary(broken.map { (DemoStory.title(of: $0.rule), $0.count) }, uniquingKeysWith: +)
        let lenses = DemoStory.list(counts, limit: 6)
        let total = counts.values.reduce(0, +)
        return "Breaches: \(total) of \(broken.count) rules (\(lenses)); see them by \(command)"
    }

    /// The title of the lens whose rules have the prefix of this rule.
    private static func title(of rule: CheckRule) -> String {
        let prefix = rule.id.prefix { $0 != "-" } + "-"
        return LensSet.standard.lenses.first { $0.rules.contains { $0.id.hasPrefix(prefix) } }?.title ?? rule.id
    }

    /// `facilities 8, alerts 3 and 2 more`, the most first.
    private static func list(_ counts: [String: Int], limit: Int = 3) -> String {
        let sorted = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
        let rest = sorted.dropFirst(limit).reduce(0) { $0 + $1.value }
        let text = sorted.prefix(limit).map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        return rest > 0 ? "\(text) and \(rest) more" : text
    }
}
