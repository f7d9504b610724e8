import Archive
import Traffic

/// Prints the findings of a check as they come: a line each, or one JSON object.
final class HARFindingPrinter {
    private let console: Console
    private let isJSON: Bool
    private var isFirst = true

    init(_ console: Console, isJSON: Bool) {
        self.console = console
        self.isJSON = isJSON
    }

    /// Begins the output.
    func begin(_ name: String) throws {
        guard isJSON else { return }
        var json = JSONWriter()
        json.string(nil, name)
        try console.write(Array("{\"file\":".utf8) + json.take() + Array(",\"findings\":[".utf8))
    }

    /// Prints a finding; `label` is the entry's method and URL.
    func tell(_ finding: HARFinding, _ label: String) throws {
        guard isJSON else {
            let place =
                finding.entry == 0 ? "" : "entry \(finding.entry)\(label == " " ? "" : " (\(label.prefix(100)))"): "
            let breaks = finding.breaks.joined(separator: ", ")
            let text = "\(place)\(finding.field) \(finding.problem): breaks \(breaks); repaired, it \(finding.mend)"
            return try console.line(VisibleText.line(text))
        }
        var json = JSONWriter()
        json.object { json in
            json.integer("entry", finding.entry == 0 ? nil : finding.entry)
            json.string("request", finding.entry == 0 ? nil : label)
            json.string("field", finding.field)
            json.string("problem", finding.problem)
            json.array("breaks") { json in for name in finding.breaks { json.string(nil, name) } }
            json.string("mend", finding.mend)
        }
        try console.write((isFirst ? [] : [UInt8(ascii: ",")]) + json.take())
        isFirst = false
    }

    /// Ends the output with the totals.
    func end(entries: Int, count: Int) throws {
        if isJSON {
            try console.write(Array("],\"entries\":\(entries),\"count\":\(count)}\n".utf8))
        } else {
            let what = count == 0 ? "nothing is wrong" : count.counted("finding")
            try console.line("\(entries) entries: \(what)")
        }
        try console.flush()
    }
}
