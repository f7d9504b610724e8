import Traffic

/// What `inspect system-proxy status` shows: whether the system's settings are inspect's, and which settings those are.
struct SystemProxyStatusReport: Report {
    let status: SystemProxyStatus

    /// Writes `{"state","proxy","pid","settings":[{"place","state","problem"}]}`; the first state is `on`, `left-behind` or `off`.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.string("state", status.changes.map { $0.isRunning ? "on" : "left-behind" } ?? "off")
            json.string("proxy", status.changes?.proxy)
            json.integer("pid", status.changes.map { Int64($0.pid) })
            json.objects("settings", status.changes?.settings ?? []) { setting, json in
                json.string("place", setting.place)
                switch setting.state {
                case .set: json.string("state", "set")
                case .asBefore: json.string("state", "as-before")
                case .changed: json.string("state", "changed")
                case .unknown: json.string("state", "unknown")
                }
                if case .unknown(let reason) = setting.state {
                    json.string("problem", reason)
                } else {
                    json.null("problem")
                }
            }
        }
    }

    func lines(in layout: Layout) -> [String] {
        guard let changes = status.changes else { return ["off: inspect has set nothing"] }
        let owner = "\(changes.proxy) of process \(changes.pid)"
        let first =
            changes.isRunning
            ? "on: \(owner)"
            : "left behind: \(owner), which is gone; 'inspect system-proxy off', or the next start, puts it back"
        return ([first] + changes.settings.map { "  \($0.place): \(words($0.state))" }).map(VisibleText.line)
    }

    private func words(_ state: SystemProxyStatus.State) -> String {
        switch state {
        case .set: "set"
        case .asBefore: "as before"
        case .changed: "changed by somebody else"
        case .unknown(let reason): "not known: \(reason)"
        }
    }
}
