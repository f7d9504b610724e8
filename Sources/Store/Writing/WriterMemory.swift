import Traffic

/// The memory of the writer from one transaction to the next; see `transaction` for how it changes.
struct WriterMemory: Sendable {
    /// An exchange that was opened and has not ended; bounded by the exchanges the proxy has open.
    struct OpenExchange: Sendable {
        /// The id of its row; `nil` when the row could not be written.
        var row: ExchangeID?
        var request = OpenBody()
        var response = OpenBody()
        /// Messages of its stream that have rows.
        var messages: Int64 = 0
        /// Messages of its stream that could not be written.
        var lostMessages: Int64 = 0

        /// The body of one side.
        subscript(side: MessageSide) -> OpenBody {
            get { side == .request ? request : response }
            set { if side == .request { request = newValue } else { response = newValue } }
        }

        /// What its row lacks because the store could not be written for a time, one sentence each.
        var warnings: [String] {
            let sides = MessageSide.allCases.filter { self[$0].isBroken }.map(\.rawValue)
            var warnings: [String] = []
            if !sides.isEmpty {
                warnings.append(
                    "While it was open the store could not write for a time; later bytes of its \(sides.joined(separator: " and its ")) were not kept."
                )
            }
            if lostMessages > 0 {
                warnings.append("\(lostMessages) messages of its stream passed and could not be written to the store.")
            }
            return warnings
        }
    }

    /// The id of the next row.
    var nextID: ExchangeID
    /// The session that is recorded now.
    var session: String?
    /// The session of the last row: a row of another session begins a stretch of its own, also where an archive brings it.
    var lastSession: String?
    /// The open exchanges by the proxy's number.
    var open = RevertibleMap<CaptureToken, OpenExchange>()
    /// Rows whose exchange ended while nothing could be written: to be closed as failed.
    var abandoned: [ExchangeID] = []
    /// The pause that is on, or the last pause.
    var pause: RecordingPause?
    /// Late exchanges of which the store could not be told yet.
    var unwrittenLate: LateSpell?
    /// Gaps that name files which were put aside, and could not be written yet.
    var unwrittenAsides: [CaptureGap] = []
    /// Connections and certificates that have rows.
    var connections = ConnectionRow.Memory()
    /// Imports that are running.
    var imports = RevertibleMap<Int64, ImportNumbers>()
    /// Bodies that can be shared.
    var bodies = BodyVault.Memory(limit: BodyVault.memoryLimit)

    init(nextID: ExchangeID) { self.nextID = nextID }

    // MARK: taking back

    /// The part that is small enough to be copied before a transaction.
    typealias Copied = (
        nextID: ExchangeID, session: String?, lastSession: String?, abandoned: [ExchangeID], pause: RecordingPause?,
        unwrittenLate: LateSpell?, unwrittenAsides: [CaptureGap]
    )

    /// The parts that cannot take back their changes themselves.
    var copied: Copied { (nextID, session, lastSession, abandoned, pause, unwrittenLate, unwrittenAsides) }

    /// Makes the changes so far final.
    mutating func keep() {
        open.keep()
        imports.keep()
    }

    /// Takes back the changes that are not final, and forgets what was only cached.
    mutating func revert(to before: Copied) {
        (nextID, session, lastSession, abandoned, pause, unwrittenLate, unwrittenAsides) = before
        open.revert()
        imports.revert()
        connections.removeAll()
        bodies.removeAll()
    }

    // MARK: what could not be written

    /// Takes note of a batch that could not be written, and counts the exchanges that ended in it; `nil` when none did.
    mutating func lose(_ batch: CaptureBatch, cause: String) -> CaptureGap? {
        if let late = batch.late { keep(late) }
        var gap: CaptureGap?
        for event in batch.events {
            switch event {
            case .opened(let token, _), .changed(let token, _):
                if open[token] == nil { open[token] = OpenExchange() }
            case .body(let token, let side, _): open[token]?[side].isBroken = true
            case .message(let token, _): open[token]?.lostMessages += 1
            // No exchange passed here; the import ends and says so.
            case .imported: break
            case .ended(let token, let exchange, _, _):
                if let row = open[token]?.row { abandoned.append(row) }
                open[token] = nil
                let started = exchange.timeline.started
                let one = CaptureGap(
                    count: 1,
                    from: started,
                    to: started + (exchange.timeline.duration ?? 0),
                    cause: cause
                )
                if gap == nil { gap = one } else { gap?.join(one) }
            }
        }
        return gap
    }
}
