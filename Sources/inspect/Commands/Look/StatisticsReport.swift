import Archive
import Traffic

/// What `inspect stats` shows: counts, success, bytes and times of each endpoint, the extremes, and a timeline.
struct StatisticsReport: Report {
    let statistics: TrafficStatistics
    /// Endpoints that the lines show; JSON has every one.
    let endpointLimit: Int

    /// Writes one object; see `TrafficStatistics.write`.
    func write(to json: inout JSONWriter) { statistics.write(to: &json) }

    func lines(in layout: Layout) -> [String] {
        let style = layout.style
        let all = statistics.all
        let rate = all.successRate.map { ", \(Self.percent($0)) succeeded" } ?? ""
        var lines = [
            style.paint(all.count.counted("exchange"), .bold) + rate + ", \(Self.failures(all)), "
                + "\(Measure.bytes(all.requestBytes)) sent, \(Measure.bytes(all.responseBytes)) received"
        ]
        guard all.count > 0 else { return lines }
        lines += ["", style.paint(Self.row("COUNT", "OK", "P50", "P90", "P99", "SIZE", "ENDPOINT"), .dim)]
        let endpoints = statistics.endpoints
        lines += endpoints.prefix(endpointLimit).map { line($0.figures, VisibleText.line($0.name)) }
        if endpoints.count > endpointLimit { lines.append("… \(endpoints.count - endpointLimit) more: --limit") }
        lines.append(line(all, "all"))
        lines += section("Slowest", statistics.slowest, style) { $0.duration.map(Measure.duration) ?? "-" }
        lines += section("Largest", statistics.largest, style) { Measure.bytes($0.responseBytes) }
        let timeline = statistics.timeline
        let most = timeline.map(\.count).max() ?? 1
        lines += ["", style.paint("Timeline", .bold)]
        lines += timeline.map { moment in
            let bar = String(repeating: "█", count: max(1, moment.count * 40 / most))
            let failed = moment.failed == 0 ? "" : style.paint("  \(moment.failed) failed", .red)
            let word = FailureKind.errorStatus.rawValue
            let errors = moment.errorStatus == 0 ? "" : style.paint("  \(word) \(moment.errorStatus)", .yellow)
            return "\(LocalTime.text(microseconds: moment.start))  \(bar) \(moment.count)\(failed)\(errors)"
        }
        return lines
    }

    /// `3 failed (no answer 2, cut off 1), error status 5, cancelled 4`; what there is none of is left out, but not that none failed.
    private static func failures(_ figures: TrafficFigures) -> String {
        func parts(_ kinds: [FailureKind]) -> [String] {
            kinds.filter { figures.count($0) > 0 }.map { "\($0.rawValue) \(figures.count($0))" }
        }
        let failed = parts(FailureKind.allCases.filter(\.isFailed))
        let sum = "\(figures.failed) failed" + (failed.isEmpty ? "" : " (\(failed.joined(separator: ", ")))")
        let cancelled = figures.cancelled == 0 ? [] : ["\(Outcome.cancelled.rawValue) \(figures.cancelled)"]
        return ([sum] + parts([.errorStatus]) + cancelled).joined(separator: ", ")
    }

    private func section(
        _ title: String,
        _ rows: [ExchangeSummary],
        _ style: Style,
        _ measure: (ExchangeSummary) -> String
    ) -> [String] {
        guard !rows.isEmpty else { return [] }
        return ["", style.paint(title, .bold)]
            + rows.map { row in
                "\(Self.padded(measure(row), 10))  \(row.id)  \(VisibleText.line("\(row.method) \(row.url)"))"
            }
    }

    private func line(_ figures: TrafficFigures, _ name: String) -> String {
        let times = figures.percentiles([50, 90, 99])?.map(Measure.duration) ?? ["-", "-", "-"]
        return Self.row(
            "\(figures.count)",
            figures.successRate.map(Self.percent) ?? "-",
            times[0],
            times[1],
            times[2],
            Measure.bytes(figures.responseBytes),
            name
        )
    }

    private static func row(
        _ count: String,
        _ rate: String,
        _ p50: String,
        _ p90: String,
        _ p99: String,
        _ size: String,
        _ name: String
    ) -> String {
        [(count, 8), (rate, 5), (p50, 8), (p90, 8), (p99, 8), (size, 8)].map(padded).joined(separator: " ")
            + "  \(name)"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// Rounded; but 100 % means all, and 0 % none.
    private static func percent(_ part: Double) -> String {
        let rounded = Int((part * 100).rounded())
        return "\(min(max(rounded, part > 0 ? 1 : 0), part < 1 ? 99 : 100)) %"
    }
}
