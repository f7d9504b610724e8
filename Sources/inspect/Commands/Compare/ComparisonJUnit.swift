import Lenses
import Traffic

/// Comparisons as JUnit XML: one suite, one test case for each comparison.
final class ComparisonJUnit {
    /// Lines of a failure that are written, at most.
    private static let lineLimit = 50

    private let path: String
    private var cases: [String] = []
    private var failures = 0

    /// - Parameter path: the path of the file, which is written at the end.
    init(_ path: String) { self.path = path }

    /// Adds a test case for a comparison.
    func add(_ comparison: Comparison) {
        let name = JUnitSuite.escaped("\(comparison.name) (\(comparison.numbers))")
        let host = JUnitSuite.escaped(comparison.row?.host ?? "")
        guard comparison.verdict != .same else {
            cases.append(#"  <testcase classname="\#(host)" name="\#(name)"/>"#)
            return
        }
        failures += 1
        let lines = comparison.lines
        let message = JUnitSuite.escaped(lines.first ?? comparison.verdict.rawValue)
        let text = lines.prefix(ComparisonJUnit.lineLimit).map(JUnitSuite.escaped).joined(separator: "\n")
        cases.append(
            #"  <testcase classname="\#(host)" name="\#(name)"><failure message="\#(message)">\#(text)</failure></testcase>"#
        )
    }

    /// Writes the file.
    ///
    /// - Throws: `InputError` when it cannot be written.
    func finish() throws {
        let file = try OutputFile(named: path, mode: 0o644)
        let head = #"<testsuite name="inspect diff" tests="\#(cases.count)" failures="\#(failures)" errors="0">"#
        try file.write(Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\(head)\n".utf8))
        for one in cases { try file.write(Array((one + "\n").utf8)) }
        try file.write(Array("</testsuite>\n".utf8))
        try file.finish()
    }
}
