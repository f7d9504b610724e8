import Archive
import Traffic

/// What `inspect assert` shows: each assertion with what was measured, and the exchanges that speak against it.
struct AssertReport: Report {
    /// The selection in words.
    let title: String
    let results: [AssertionRun.Result]
    /// Exchanges that were not counted and were searched in part only.
    let searchedInPart: Int

    /// One line for each assertion, and a table of what speaks against it.
    func lines(in layout: Layout) -> [String] {
        let style = layout.style
        var lines = [style.paint(VisibleText.line(title), .dim)]
        for result in results {
            let mark = style.paint(result.holds ? "ok    " : "FAILED", result.holds ? .green : .red)
            lines.append("\(mark)  \(VisibleText.line(AssertReport.sentence(result)))")
            guard !result.offenders.isEmpty else { continue }
            ListingLines(layout: layout).eachRow(result.offenders) { line, _ in lines.append(line) }
            let rest = result.offenderCount - result.offenders.count
            if rest > 0 { lines.append("and \(rest) more") }
        }
        if let part = Listing.partSentence(searchedInPart) { lines += LineBreaks.lines(part, in: layout) }
        return lines
    }

    /// Writes `{"holds","query","searchedInPart","assertions":[{"name","holds","value","offenders","exchanges"}]}`; `value` is a count or milliseconds.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.boolean("holds", results.allSatisfy(\.holds))
            json.string("query", title)
            json.integer("searchedInPart", searchedInPart)
            json.array("assertions") { json in
                for result in results { json.object { AssertReport.members(result, &$0) } }
            }
        }
    }

    private static func members(_ result: AssertionRun.Result, _ json: inout JSONWriter) {
        json.string("name", result.assertion.name)
        json.boolean("holds", result.holds)
        if result.assertion.measure == .count {
            json.integer("value", result.value)
        } else {
            json.milliseconds("value", microseconds: result.value)
        }
        json.integer("offenders", result.offenderCount)
        json.array("exchanges") { json in
            for row in result.offenders { ExchangeRow.write(row, to: &json) }
        }
    }

    /// `count 0: 3 exchanges`, `p95 <300ms: 412 ms`.
    static func sentence(_ result: AssertionRun.Result) -> String {
        let measured: String
        switch (result.assertion.measure, result.value) {
        case (.count, let count): measured = (count ?? 0).counted("exchange")
        case (.percentile, let time?): measured = Measure.duration(time)
        case (.percentile, nil): measured = "nothing was timed"
        }
        return "\(result.assertion.name): \(measured)"
    }
}
