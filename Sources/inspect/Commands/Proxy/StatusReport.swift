import Store
import Traffic

/// What `inspect status` shows: the running proxy, its store, and what waits to be written.
struct StatusReport: Report {
    let status: InstanceStatus

    func lines(in layout: Layout) -> [String] {
        let style = layout.style
        func line(_ name: String, _ text: String) -> String { StatusReport.line(name, text, style) }
        guard let instance = status.instance else {
            return [
                line("Proxy", style.paint("not running", .yellow) + "; 'inspect start --daemon' starts it"),
                line("Store", VisibleText.line(status.path) + (status.report == nil ? ", not there yet" : "")),
            ] + counts(style)
        }
        var lines = [line("Proxy", running(instance, style))]
        for listener in instance.listeners {
            lines.append(line("", "\(listener.mode) \(listener.address)"))
        }
        lines += [
            line("Page", "\(instance.page)/?token=\(instance.token)"), line("Store", VisibleText.line(status.path)),
        ]
        if let rules = rules(style) { lines.append(line("Rules", rules)) }
        lines += counts(style)
        if status.isAnswering {
            let queue = status.number("inspect_queue_bytes") ?? 0
            let lag = Int64((status.numbers["inspect_write_lag_seconds"] ?? 0) * 1_000_000)
            lines += [
                line("Open", "\(status.number("inspect_connections") ?? 0) client connections"),
                line(
                    "Lag",
                    "\(Measure.bytes(queue)) not written yet, the oldest for \(Measure.duration(lag)); \(status.number("inspect_index_lag") ?? 0) exchanges not indexed yet"
                ),
            ]
        }
        if let log = instance.log { lines.append(line("Log", VisibleText.line(log))) }
        return lines
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.boolean("running", status.instance != nil)
            json.boolean("answering", status.isAnswering)
            json.integer("pid", status.instance?.pid)
            json.string("proxy", status.instance?.proxy)
            json.array("listeners") { json in
                for listener in status.instance?.listeners ?? [] {
                    json.object { json in
                        json.string("mode", listener.mode)
                        json.string("address", listener.address)
                    }
                }
            }
            json.string("page", status.instance?.page)
            json.string("log", status.instance?.log)
            json.string("started", status.instance?.started.map { Timestamp.text(microseconds: $0) })
            if let uptime = status.uptime { json.integer("uptimeSeconds", uptime / 1_000_000) }
            json.string("store", status.path)
            if let report = status.report {
                json.integer("exchanges", report.total)
                json.object("outcomes") { json in
                    for outcome in report.outcomes { json.integer(outcome.value, outcome.count) }
                }
                json.integer("storeBytes", report.bytes + report.logBytes)
                json.integer("unrecorded", report.missing)
                json.integer("recordedLate", report.late)
            }
            if status.isAnswering {
                json.integer("connections", status.number("inspect_connections"))
                json.integer("rules", status.number("inspect_rules"))
                json.integer("rulesOn", status.number("inspect_rules_on"))
                json.integer("ruleMistakes", status.number("inspect_rule_mistakes"))
                json.strings("activeRules", status.rules?.active.map(\.name) ?? [])
                json.integer("queueBytes", status.number("inspect_queue_bytes"))
                json.number("writeLagSeconds", status.numbers["inspect_write_lag_seconds"] ?? 0)
                json.integer("indexLag", status.number("inspect_index_lag"))
            }
        }
    }

    private func running(_ instance: InstanceFile, _ style: Style) -> String {
        let state: String
        if status.isAnswering {
            state = style.paint("running", .green)
        } else if instance.isStopping == true {
            state = style.paint("stopping; what is open comes to its end", .yellow)
        } else {
            state = style.paint("running, but its page does not answer", .red)
        }
        var text = state + ", process \(instance.pid)"
        if let uptime = status.uptime, let started = instance.started {
            text += ", for \(Measure.duration(uptime)), since \(LocalTime.text(microseconds: started))"
        }
        return text
    }

    /// `3 of 5 on: staging, no csp, slow`, and whether their files cannot be read any more; `nil` where there are none.
    private func rules(_ style: Style) -> String? {
        guard let all = status.number("inspect_rules"), let on = status.number("inspect_rules_on") else { return nil }
        let mistakes = status.number("inspect_rule_mistakes") ?? 0
        guard all > 0 || mistakes > 0 else { return nil }
        let names = status.rules?.namesOn.map { ": \(VisibleText.line($0))" } ?? ""
        let text = on > 0 ? style.paint("\(on) of \(all) on", .yellow) + names : "\(on) of \(all) on"
        guard mistakes > 0 else { return text }
        let wrong = "their files have \(mistakes.counted("mistake")) now, so these are the rules of before"
        return "\(text); \(style.paint(wrong, .red))"
    }

    private func counts(_ style: Style) -> [String] {
        guard let report = status.report else { return [] }
        let parts = report.outcomes.map { "\($0.count) \($0.value)" }
        let size = Measure.bytes(report.bytes + report.logBytes)
        var lines = [
            Self.line(
                "Exchanges",
                "\(report.total)" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")) + "; \(size)",
                style
            )
        ]
        if report.missing > 0 {
            let gaps = "\(report.missing.counted("exchange was", "exchanges were")) not recorded"
            lines.append(Self.line("Gaps", style.paint(gaps, .yellow), style))
        }
        if report.late > 0 { lines.append(Self.line("Late", style.paint(GapNotice.late(report.late), .yellow), style)) }
        return lines
    }

    private static func line(_ name: String, _ text: String, _ style: Style) -> String {
        style.paint(name + String(repeating: " ", count: max(1, 11 - name.count)), .bold) + text
    }
}
