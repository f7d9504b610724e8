import NIOCore
import Traffic

/// What rules do to the bodies of an exchange on their way.
extension ExchangeRules {
    /// As much of a message's body as is there when it is known which rules apply to the message.
    enum BodyAtHand {
        /// All of it.
        case whole(ByteBuffer)
        /// As much as was kept of a body that cannot be had whole, and why it cannot, in words that follow `skipped:`.
        case cut(ByteBuffer, why: String)
        /// Nothing yet.
        case coming
    }

    /// What becomes of a message whose body rules edit.
    enum RuledBody {
        /// The message waits until its body is whole.
        case waits
        /// The body goes on as it came.
        case same
        /// The body goes on as other bytes.
        case changed(ByteBuffer)
        /// The body is edited as it passes; nothing of it is there.
        case passing
        /// The body is edited as it passes: these bytes go on for so many that are there.
        case begun(ByteBuffer, for: Int)
        /// The message waits until as much of its body as is there is edited on another thread; then `finish` says what became of it.
        case apart(BodyWork)
    }

    /// Why no more of a body is kept; `nil` where all that came is, or where nobody looks at it.
    func gap(_ side: MessageSide) -> String? { kept[side]?.gap }

    /// Whether the request waits: it is not known which rules apply to it, or its body is not whole that they edit.
    var isRequestHeld: Bool { holdsRequest || waiting[.request] != nil }

    /// Begins what the rules of a message do to its body.
    ///
    /// - Parameters:
    ///   - side: whose body.
    ///   - message: the message as the rules leave it, whose body they edit; it is kept where the body is waited for.
    ///   - body: as much of the body as is there.
    ///   - beginning: what is there of a body that is not whole.
    ///   - canStream: whether the message can be sent before it is known how long it will be.
    /// - Returns: what becomes of the body; the same where no rule edits it.
    func begin(
        _ side: MessageSide,
        _ message: EditedMessage,
        _ body: BodyAtHand,
        beginning: @autoclosure () -> ByteBuffer = ByteBuffer(),
        canStream: Bool
    ) -> RuledBody {
        guard var editor = message.bodyEditor else { return .same }
        guard !editor.isIdle else {
            run.take(editor)
            return .same
        }
        editor.limitBytes = bodies.bodyLimitBytes
        switch body {
        case .whole(let bytes):
            return begin(BodyWork(editor, bytes), side, message)
        case .cut(_, let why) where editor.needsWhole || !canStream:
            editor.skip(why)
            run.take(editor)
            return .same
        case .coming where editor.needsWhole || !canStream:
            waiting[side] = message
            if kept[side] == nil { kept[side] = KeptBody() }
            return .waits
        case .cut, .coming:
            let beginning = beginning()
            guard beginning.readableBytes == 0 else {
                // It waits for the upstream too, where it is a request's.
                if side == .request { noteGrown(by: beginning.readableBytes) }
                return begin(BodyWork(editor, beginning, isWhole: false), side, message)
            }
            guard !editor.recodes || bodies.hasRoom(for: 1) else {
                editor.leave(KeptBody.noRoom)
                run.take(editor)
                return .same
            }
            editors[side] = editor
            return .passing
        }
    }

    private func begin(_ work: BodyWork, _ side: MessageSide, _ message: EditedMessage) -> RuledBody {
        guard work.runSoon() else {
            (waiting[side], works[side]) = (message, work)
            return .apart(work)
        }
        return finish(work, side)
    }

    /// Takes note of what an edit did that is done.
    func finish(_ work: BodyWork, _ side: MessageSide) -> RuledBody {
        var editor = work.editor
        let hasRoom = work.growth == 0 || bodies.hasRoom(for: work.growth)
        if !hasRoom { editor.leave(KeptBody.noRoom) }
        if !work.isWhole, hasRoom, let changed = work.changed {
            editors[side] = editor
            return .begun(changed, for: work.count)
        }
        run.take(editor)
        return work.changed.flatMap { hasRoom ? .changed($0) : nil } ?? .same
    }

    /// The message whose body was waited for; it waits no longer.
    func takeWaiting(_ side: MessageSide) -> EditedMessage? {
        if side == .response { heldResponse = nil }
        works.removeValue(forKey: side)?.drop()
        return waiting.removeValue(forKey: side)
    }

    /// Edits the next bytes of a body, and counts what a request's grows by; the same bytes where none is edited as it passes.
    func edit(_ side: MessageSide, _ bytes: ByteBuffer) -> ByteBuffer {
        if !bodies.hasRoom(for: 1) { editors[side]?.stopGrowing() }
        guard let edited = editors[side]?.take(bytes) else { return bytes }
        let growth = edited.readableBytes - bytes.readableBytes
        // What stages make it grow by has its bound; what is decoded for good has none of its own.
        if growth > 0, editors[side]?.recodes == true, !bodies.hasRoom(for: growth) {
            editors[side]?.leaveOut("decodes to more than there is room for: " + KeptBody.noRoom)
            return ByteBuffer()
        }
        if side == .request { noteGrown(by: edited.readableBytes - bytes.readableBytes) }
        return edited
    }

    /// The rule that could not edit a body to its end, and why not; `nil` where none failed so.
    func cut(of side: MessageSide) -> (rule: String, why: String)? { editors[side]?.cut ?? cuts[side] }

    /// Ends the edit of a body that has passed; what is still to be sent of a request's is counted.
    ///
    /// - Returns: what is still to be sent of it; `nil` for nothing.
    func finish(_ side: MessageSide) -> ByteBuffer? {
        guard var editor = editors.removeValue(forKey: side) else { return nil }
        let rest = editor.finish()
        cuts[side] = editor.cut
        run.take(editor)
        if side == .request { noteGrown(by: rest.readableBytes) }
        return rest.readableBytes > 0 ? rest : nil
    }

    /// Makes no edit that waits for its body, or for another thread, since its message does not go on.
    ///
    /// - Parameter why: the reason, in words that follow `skipped:`.
    func skipWaiting(_ why: String) {
        for side in MessageSide.allCases {
            works.removeValue(forKey: side)?.drop()
            guard var editor = waiting.removeValue(forKey: side)?.bodyEditor else { continue }
            editor.skip(why)
            run.take(editor)
        }
    }

    /// Ends everything, since the exchange is over: an edit that has not come to its end is recorded as far as it came.
    func close() {
        skipWaiting(RuleGap.notWhole)
        for side in MessageSide.allCases {
            guard var editor = editors.removeValue(forKey: side) else { continue }
            editor.skip(RuleGap.notWhole)
            run.take(editor)
        }
        free()
    }
}
