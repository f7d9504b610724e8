package import Traffic

extension Comparison {
    /// Adds what a lens says of the change, where both answers are good, they differ, and the same lens reads both.
    package mutating func putInWords(
        _ before: ExchangeRecord,
        _ beforeSource: ArchiveSource,
        _ after: ExchangeRecord,
        _ afterSource: ArchiveSource
    ) throws {
        let inBody = difference?.differences.contains { $0.side == .response && $0.part == .json } ?? false
        let codes = [before.exchange.code ?? 0, after.exchange.code ?? 0]
        guard inBody, codes.allSatisfy({ (200...299).contains($0) }) else { return }
        let one = try Capture(before, source: beforeSource)
        let other = try Capture(after, source: afterSource)
        changes = LensSet.standard.changes(from: one, to: other)
    }

    /// Compares the exchanges of a pair, or notes that one of them is missing.
    ///
    /// - Throws: what the sources throw.
    package init(
        _ before: ExchangeRecord?,
        _ after: ExchangeRecord?,
        by diff: CaptureDiff,
        source: ArchiveSource
    ) throws {
        self.init(left: before?.summary, right: after?.summary)
        guard let before, let after else { return }
        difference = try diff.compare(before.exchange, source, after.exchange, source)
        try putInWords(before, source, after, source)
    }
}
