import Archive
import Traffic

/// What `inspect stats` shows: counts, success, bytes and times of each endpoint, the extremes, and a timeline.
struct StatisticsReport: Report {
    private static let headings = ["COUNT", "OK", "P50", "P90", "P99", "SIZE", " ENDPOINT"]
    /// The columns that a narrow terminal does without, the least needed first: size, 90th and 99th percentile.
    private static let spare = [5, 3, 4]
    /// Cells of the longest bar of the timeline.
    private static let longestBar = 40

    let statistics: TrafficStatistics
    /// Endpoints that the lines show; JSON has every one.
    let endpointLimit: Int

    /// Writes one object; see `TrafficStatistics.write`.
    func write(to json: inout JSONWriter) { statistics.write(to: &json) }

    func lines(in layout: Layout) -> [String] {
        let style = layout.style
        let all = statistics.all
        let rate = all.successRate.map { ", \(Self.percent($0)) succeeded" } ?? ""
        var lines = LineBreaks.lines(
            "\(rate), \(Self.failures(all)), \(Measure.bytes(all.requestBytes)) sent, "
                + "\(Measure.bytes(all.responseBytes)) received",
            after: style.paint(all.count.counted("exchange"), .bold),
            indent: 2,
            in: layout
        )
        if let part = Listing.partSentence(statistics.searchedInPart) { lines += LineBreaks.lines(part, in: layout) }
        guard all.count > 0 else { return lines }
        lines += [""] + table(layout)
        lines += section("Slowest", statistics.slowest, layout) {
            $0.duration.map { Self.duration($0, in: layout) } ?? "-"
        }
        lines += section("Largest", statistics.largest, layout) { Measure.bytes($0.responseBytes) }
        return lines + ["", style.paint("Timeline", .bold)] + timeline(layout)
    }

    /// A line for each endpoint, and one for all of them.
    private func table(_ layout: Layout) -> [String] {
        let endpoints = statistics.endpoints
        let shown = endpoints.prefix(endpointLimit)
        let rows = shown.map { cells($0.figures, VisibleText.line($0.name), layout) }
        let sum = cells(statistics.all, "all", layout)
        var columns = TextColumns(
            style: layout.style,
            width: layout.width,
            widths: layout.width == nil ? [8, 5, 8, 8, 8, 8, 8] : Self.headings.map(\.count),
            isRight: Self.headings.indices.map { $0 < Self.headings.count - 1 },
            gap: " "
        )
        for row in rows + [sum] { columns.fit(row) }
        columns.makeRoom(leavingOut: Self.spare)
        func line(_ row: [String]) -> String {
            let name = columns.lastRoom.map { Self.cut(row.last ?? "", to: $0) } ?? row.last ?? ""
            return columns.line((row.dropLast() + [name]).map { ($0, nil) })
        }
        var lines = [columns.line(Self.headings.map { ($0, .dim) })] + rows.map(line)
        if endpoints.count > shown.count { lines.append("… \(endpoints.count - shown.count) more: --limit") }
        return lines + [line(sum)]
    }

    /// A bar for each stretch of time, the longest as long as there is room for.
    private func timeline(_ layout: Layout) -> [String] {
        let moments = statistics.timeline
        let most = moments.map(\.count).max() ?? 1
        let rows = moments.map { moment in
            (
                start: LocalTime.text(microseconds: moment.start) + "  ", moment: moment,
                count: " \(moment.count)", failed: moment.failed == 0 ? "" : "  \(moment.failed) failed",
                errors: moment.errorStatus == 0 ? "" : "  \(FailureKind.errorStatus.rawValue) \(moment.errorStatus)"
            )
        }
        let taken = rows.map { $0.start.count + $0.count.count + $0.failed.count + $0.errors.count }.max() ?? 0
        let longest = min(Self.longestBar, layout.width.map { max(1, $0 - taken) } ?? Self.longestBar)
        return rows.map { row in
            let bar = String(repeating: "█", count: max(1, row.moment.count * longest / most))
            return row.start + bar + row.count + layout.style.paint(row.failed, .red)
                + layout.style.paint(row.errors, .yellow)
        }
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
        _ layout: Layout,
        _ measure: (ExchangeSummary) -> String
    ) -> [String] {
        guard !rows.isEmpty else { return [] }
        return ["", layout.style.paint(title, .bold)]
            + rows.map { row in
                let head = "\(TextColumns.padded(measure(row), to: 10, right: true))  \(row.id)  "
                return ShortAddress.line(row, after: head, in: layout)
            }
    }

    private func cells(_ figures: TrafficFigures, _ name: String, _ layout: Layout) -> [String] {
        let times = figures.percentiles([50, 90, 99])?.map { Self.duration($0, in: layout) } ?? ["-", "-", "-"]
        let count = ["\(figures.count)", figures.successRate.map(Self.percent) ?? "-"]
        return count + times + [Measure.bytes(figures.responseBytes), " " + name]
    }

    /// A time, in few cells on a terminal.
    private static func duration(_ microseconds: Int64, in layout: Layout) -> String {
        layout.width == nil ? Measure.duration(microseconds) : Measure.briefDuration(microseconds)
    }

    /// An endpoint's name of at most so many cells: the end of the path tells it from others, so the beginning of a long address is left out.
    private static func cut(_ name: String, to room: Int) -> String {
        guard TerminalCells.width(name) > room, let blank = name.dropFirst().firstIndex(of: " ") else { return name }
        let method = name[...blank]
        return method + TextColumns.cutStart(String(name[name.index(after: blank)...]), to: room - method.count)
    }

    /// Rounded; but 100 % means all, and 0 % none.
    private static func percent(_ part: Double) -> String {
        let rounded = Int((part * 100).rounded())
        return "\(min(max(rounded, part > 0 ? 1 : 0), part < 1 ? 99 : 100)) %"
    }
}
