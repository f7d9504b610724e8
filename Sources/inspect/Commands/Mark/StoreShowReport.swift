import Store
import Traffic

/// What `inspect store show` shows: size, content and gaps of a store, and whether it is damaged.
struct StoreShowReport: Report {
    let report: StoreReport

    /// Writes one object; see `StoreReport.write`.
    func write(to json: inout JSONWriter) { json.object { report.write(to: &$0) } }

    func lines(in layout: Layout) -> [String] {
        let style = layout.style
        func line(_ name: String, _ text: String) -> String { StoreShowReport.line(name, text, style) }
        var lines = [
            line("Store", VisibleText.line(report.path) + ", version \(report.version)"),
            line("Size", size),
            line("Exchanges", exchanges),
        ]
        if let oldest = report.oldest { lines.append(line("Oldest", LocalTime.full(microseconds: oldest))) }
        if let newest = report.newest { lines.append(line("Newest", LocalTime.full(microseconds: newest))) }
        lines.append(line("Index", "\(report.blocks.counted("block")), \(report.lag.counted("exchange")) behind"))
        for session in report.sessions {
            let began = LocalTime.full(microseconds: session.started)
            let size = session.count.counted("exchange")
            lines.append(line("Session", "\(VisibleText.line(session.name)), \(size), began \(began)"))
        }
        for gap in report.gaps {
            let began = "from \(LocalTime.full(microseconds: gap.from))"
            if gap.kind == .late {
                lines.append(line("Late", style.paint("\(GapNotice.late(gap.count)), \(began) on", .yellow)))
                continue
            }
            let missing = gap.count.counted("exchange \(began) was", "exchanges \(began) were")
            let text = "\(missing) not recorded: \(VisibleText.line(gap.cause))"
            lines.append(line("Gap", style.paint(text, .yellow)))
        }
        return lines + check(style)
    }

    private var size: String {
        var text = Measure.bytes(report.bytes)
        if report.logBytes > 0 { text += ", and \(Measure.bytes(report.logBytes)) of log" }
        if report.freeBytes > 0 {
            text += "; \(Measure.bytes(report.freeBytes)) free ('inspect store compact' gives it back)"
        }
        return text
    }

    private var exchanges: String {
        let parts = report.outcomes.map { "\($0.count) \($0.value)" }
        return "\(report.total)" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
    }

    private func check(_ style: Style) -> [String] {
        func line(_ name: String, _ text: String) -> String { StoreShowReport.line(name, text, style) }
        guard let check = report.check else { return [line("Damage", "not looked for")] }
        let bodies = line("Bodies", "\(check.bodies), \(Measure.bytes(check.bodyBytes))")
        guard !check.isSound else { return [bodies, line("Damage", style.paint("none", .green))] }
        return [bodies] + check.problems.map { line("Damage", style.paint(VisibleText.line($0), .red)) }
    }

    private static func line(_ name: String, _ text: String, _ style: Style) -> String {
        style.paint(name + String(repeating: " ", count: max(1, 11 - name.count)), .bold) + text
    }
}
