import Archive
import Traffic

/// What `inspect har check` shows: each finding as the file is read, then the totals.
///
/// Writing it reads the file, so that happens once.
final class HARCheckReport: StreamedReport {
    private let archive: ArchiveFile
    private let progress: Progress
    /// Where the repaired file goes; `nil` without `--repair`.
    private let repaired: OutputFile?
    private var checker: HARChecker

    init(_ archive: ArchiveFile, progress: Progress, repairingTo repaired: OutputFile?) {
        self.archive = archive
        self.progress = progress
        self.repaired = repaired
        checker = HARChecker(repairs: repaired != nil)
    }

    /// Findings so far.
    var count: Int { checker.count }

    /// Writes `{"file","findings":[{"entry","request","field","problem","breaks","mend"}],"entries","count"}`.
    func write(to json: inout JSONWriter, handOn: (inout JSONWriter) throws -> Void) throws {
        try json.object { json in
            json.string("file", archive.name)
            try json.array("findings") { json in
                try check { finding, label in
                    json.object { HARCheckReport.members(finding, label, &$0) }
                    try handOn(&json)
                }
            }
            json.integer("entries", checker.entries)
            json.integer("count", checker.count)
        }
    }

    func print(to console: Console) throws {
        try check { try console.line(HARCheckReport.line($0, $1)) }
        let what = count == 0 ? "nothing is wrong" : count.counted("finding")
        try console.line("\(checker.entries) entries: \(what)")
    }

    /// Reads the file to its end and writes the repaired one.
    private func check(_ tell: HARChecker.Tell) throws {
        do {
            while true {
                let bytes = try archive.next()
                if bytes.isEmpty { break }
                try checker.write(bytes, tell: tell) { try repaired?.write($0) }
            }
            try checker.finish(tell: tell) { try repaired?.write($0) }
        } catch let problem as ArchiveProblem {
            throw InputError("\(archive.name) \(problem)")
        }
        progress.clear()
    }

    /// A finding; `label` is the entry's method and URL.
    private static func members(_ finding: HARFinding, _ label: String, _ json: inout JSONWriter) {
        json.integer("entry", finding.entry == 0 ? nil : finding.entry)
        json.string("request", finding.entry == 0 ? nil : label)
        json.string("field", finding.field)
        json.string("problem", finding.problem)
        json.strings("breaks", finding.breaks)
        json.string("mend", finding.mend)
    }

    private static func line(_ finding: HARFinding, _ label: String) -> String {
        let place = finding.entry == 0 ? "" : "entry \(finding.entry)\(label == " " ? "" : " (\(label.prefix(100)))"): "
        let breaks = finding.breaks.joined(separator: ", ")
        return VisibleText.line(
            "\(place)\(finding.field) \(finding.problem): breaks \(breaks); repaired, it \(finding.mend)"
        )
    }
}
