import Traffic

extension WriterMemory {
    /// What is known of the store where a spool begins, so that what happens in the spool can be forgotten.
    struct BeforeSpool: Sendable {
        /// The rows of the exchanges that were open.
        let open: [ExchangeID]
        let lastSession: String?
    }

    /// Goes on in a spool from now on.
    mutating func beginSpool() -> BeforeSpool {
        // In a spool, a body can share no bytes of the store.
        bodies.removeAll()
        return BeforeSpool(open: open.all.compactMap(\.row), lastSession: lastSession)
    }

    /// Forgets what was recorded in a spool that the store cannot take over.
    ///
    /// What has a row in the store ends there as unrecorded. What is still open gets another row when it ends, which says what it lacks.
    ///
    /// - Parameters:
    ///   - before: what was known when the spool began.
    ///   - gap: the exchanges that ended in the spool; `nil` for none.
    mutating func forgetSpool(_ before: BeforeSpool, gap: CaptureGap?) {
        bodies.removeAll()
        connections.removeAll()
        lastSession = before.lastSession
        abandoned += before.open
        open.changeAll { exchange in
            let messages = exchange.messages + exchange.lostMessages
            let lacks = MessageSide.allCases.filter { exchange[$0].isBroken || exchange[$0].bytes > 0 }
            exchange = OpenExchange()
            exchange.lostMessages = messages
            for side in lacks { exchange[side].isBroken = true }
        }
        open.keep()
        if let gap { unwrittenAsides.append(gap) }
    }
}
