/// The result of reading an archive, for the person who gave it.
package struct ImportReport: Hashable, Sendable {
    /// Repairs that are listed one by one; the rest are counted.
    package static let listedLimit = 20
    /// Kinds of repairs that are counted apart.
    private static let kindLimit = 200

    /// The kind of the file; `nil` where it was not recognised.
    package var kind: ArchiveSplitter.Kind?
    /// Exchanges that were read.
    package var read = 0
    /// Entries that could not be read; the first ones with the reason.
    package private(set) var leftOut: [String] = []
    package private(set) var leftOutCount = 0
    /// The first repairs.
    package private(set) var mends: [HARFinding] = []
    /// How often each repair was made, by field and problem.
    package private(set) var counts: [String: Int] = [:]
    /// Why the file could not be read to its end; `nil` when it was.
    package var broken: String?

    package init() {}

    mutating func add(_ findings: [HARFinding]) {
        for finding in findings {
            if mends.count < ImportReport.listedLimit { mends.append(finding) }
            let kind = "\(finding.field) \(finding.problem)"
            let isRoomy = counts[kind] != nil || counts.count < ImportReport.kindLimit
            counts[isRoomy ? kind : "other fields", default: 0] += 1
        }
    }

    mutating func leaveOut(_ entry: Int, _ reason: String) {
        leftOutCount += 1
        if leftOut.count < ImportReport.listedLimit { leftOut.append("entry \(entry) \(reason)") }
    }

    /// How many fields were repaired.
    package var mendCount: Int { counts.values.reduce(0, +) }

    /// The report in lines: the entries that were left out, the first repairs, then how often each kind occurred.
    package var lines: [String] {
        var lines = leftOut.map { "left out: \($0)" }
        if leftOutCount > leftOut.count { lines.append("left out: \(leftOutCount - leftOut.count) more entries") }
        lines += mends.map { "entry \($0.entry): \($0.sentence)" }
        guard mendCount > mends.count else { return lines }
        lines.append("mended \(mendCount) fields in all:")
        lines += counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "  \($0.value) × \($0.key)" }
        return lines
    }
}
