package import Traffic

extension TrafficStore: CaptureWalk {
    /// Rows read at a time.
    private static var walkedRows: Int { 1_000 }

    /// Visits the exchanges that are selected when the walk begins; see `CaptureWalk`.
    ///
    /// - Throws: `StoreError`, `CancellationError`, and what `give` throws.
    package func walk(_ selection: CaptureSelection, _ give: (CaptureVisit) throws -> Bool) throws {
        var rest = try numbers(of: selection)[...]
        while !rest.isEmpty {
            for row in try summaries(of: rest.suffix(TrafficStore.walkedRows).reversed()) {
                // `give` may take long.
                try Task.checkCancellation()
                guard try give(visit(row)) else { return }
            }
            rest = rest.dropLast(TrafficStore.walkedRows)
        }
    }

    /// Oldest first.
    private func numbers(of selection: CaptureSelection) throws -> [ExchangeID] {
        switch selection {
        case .matching(let filter): try ids(filter)
        case .one(let id): [id]
        }
    }

    private func visit(_ row: ExchangeSummary) -> CaptureVisit {
        CaptureVisit(row) {
            guard let record = try self.record(row.id) else { return nil }
            return try Capture(record, source: self.body)
        }
    }
}
