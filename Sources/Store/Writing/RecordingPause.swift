import GRDB
import Traffic

/// A stretch of time in which nothing new is recorded, with the gap that says so in the store.
struct RecordingPause: Sendable {
    /// Whether the pause goes on; after the pause, exchanges that began in it are passed over to their end.
    var isOn = true
    /// The gap's row.
    let row: Int64
    var gap: CaptureGap
    /// Whether the row is up to date with the gap.
    var isWritten = true
    /// The exchanges that began in it and are open; bounded by the exchanges the proxy has open.
    var skipped: Set<CaptureToken> = []

    /// Counts an exchange that ended.
    mutating func count(_ exchange: Exchange) {
        gap.count += 1
        gap.from = min(gap.from, exchange.timeline.started)
        gap.to = max(gap.to, exchange.timeline.started + (exchange.timeline.duration ?? 0))
        isWritten = false
    }

    /// Brings the row up to date.
    func write(in db: Database) throws { try gap.write(over: row, in: db) }
}

extension WriterMemory {
    /// The events of a batch that are to be written: all of them, unless recording is paused or exchanges of the pause are open.
    ///
    /// The receipt of the batch then has 0 for each exchange that is not written.
    mutating func sift(_ batch: CaptureBatch) -> CaptureBatch {
        guard var pause, pause.isOn || !pause.skipped.isEmpty else { return batch }
        var events: [ExchangeEvent] = []
        var isKept: [Bool] = []
        for event in batch.events {
            switch event {
            case .opened(let token, _), .changed(let token, _):
                if pause.isOn, open[token] == nil { pause.skipped.insert(token) }
                if !pause.skipped.contains(token) { events.append(event) }
            case .body(let token, _, _), .message(let token, _):
                if !pause.skipped.contains(token) { events.append(event) }
            case .ended(let token, let exchange, _, _):
                let isSkipped = pause.skipped.remove(token) != nil || pause.isOn && open[token] == nil
                if isSkipped { pause.count(exchange) } else { events.append(event) }
                isKept.append(!isSkipped)
            case .imported:
                events.append(event)
                isKept.append(true)
            }
        }
        self.pause = pause
        var wanted = batch
        wanted.events = events
        guard isKept.contains(false) else { return wanted }
        wanted.onCommit = { [tell = batch.onCommit, isKept] receipt in
            var ids = receipt.ids[...]
            let all = isKept.map { $0 ? ids.popFirst() ?? 0 : 0 }
            tell(CommitReceipt(ids: receipt.isRecorded ? all : [], isRecorded: receipt.isRecorded))
        }
        return wanted
    }
}
