package import NIOCore

/// Does the actions that a side's rules ask for.
extension RuleRun {
    /// Edits a message's head, action by action in the order of the list, and records what each changed.
    ///
    /// - Parameters:
    ///   - head: the head as it would go on without rules.
    ///   - side: whose.
    ///   - firings: the rules that apply, from `judge`.
    ///   - scope: the values of templates.
    ///   - archived: what is kept of the body, where it came out of an archive without its codings.
    /// - Returns: the message to send on.
    package mutating func edit(
        _ head: ByteBuffer,
        _ side: MessageSide,
        by firings: [RuleFiring],
        _ scope: inout TemplateScope,
        archived: ArchivedBody? = nil
    ) -> EditedMessage {
        var message = EditedMessage(head: head)
        var lines = HeadLines(head: head)
        var isTouched = false
        var bodies: [BodyEditor.Part] = []
        var recodings: [EditedMessage.KeptCodings.Change] = []
        var kind = firings.contains { $0.editsBody(of: side) } ? BodyKind(head: head, side, of: summary) : nil
        if let archived { kind = kind?.decoded(isUTF8: archived.form == .text) }
        for firing in firings {
            scope.begin(count: firing.count)
            for action in firing.actions(on: side) {
                let before = (lines: lines, destination: message.destination, kind: kind)
                do throws(RuleFault) {
                    guard let changes = try apply(action, to: &lines, &message, &scope) else { continue }
                    if !changes.isEmpty { try lines.check(after: before.lines) }
                    var body: BodyEditor.Part?
                    if let known = kind {
                        // A content that a rule makes anew is what the rule says of it, to those behind it too.
                        if action.bodyEdit?.content != nil { kind = known.written(under: lines) }
                        body = part(action, firing, kind ?? known, &scope)
                    }
                    try scope.check()
                    isTouched = isTouched || !changes.isEmpty
                    if message.destination != before.destination { message.sender = firing.rule.name }
                    note(changes.text, firing, action)
                    let others = changes.filter { !ASCII.isSame($0.part, "content-encoding") }
                    if others.count < changes.count {
                        recodings.append(
                            EditedMessage.KeptCodings.Change(
                                rule: firing.rule.name,
                                phase: firing.phase,
                                action: action.word,
                                with: changes.text,
                                without: others.text
                            )
                        )
                    }
                    if let body { bodies.append(body) }
                    guard let edit = action.trailerEdit else { continue }
                    message.trailerEdits.append(TrailerEdit(edit: edit, action: action, firing: firing))
                } catch {
                    (lines, message.destination, kind) = before
                    noteFault(firing, action, error)
                }
            }
        }
        if var kind, !bodies.isEmpty {
            let codings = ContentCoding.names(of: HeaderList(head: lines.joined))
            if codings != ContentCoding.names(of: HeaderList(head: head)) {
                kind.sentCodings = codings
                // What came out of an archive is not coded any more.
                if archived == nil { message.kept = EditedMessage.KeptCodings(changes: recodings) }
            }
            if let refusal = kind.refusal {
                for part in bodies { noteSkipped(part.note, refusal) }
                if !kind.isLeft { message.kept = nil }
            } else {
                message.bodyEditor = BodyEditor(bodies, kind)
            }
        }
        guard isTouched else { return message }
        // Every rule that sends elsewhere has checked that there is a path.
        try? message.destination.apply(to: &lines)
        let joined = lines.joined
        message.isChanged = joined != head
        if message.isChanged { message.head = joined }
        message.kept?.head = lines.restored("content-encoding").joined
        return message
    }

    /// Edits a trailer section.
    ///
    /// - Returns: the section to send; `nil` for none.
    package mutating func edit(
        trailers: ByteBuffer?,
        by edits: [TrailerEdit],
        _ scope: inout TemplateScope
    ) -> ByteBuffer? {
        var lines = HeadLines(trailers: trailers)
        for edit in edits {
            scope.begin(count: edit.firing.count)
            let before = lines
            do throws(RuleFault) {
                let changes = try edit.edit.apply(to: &lines, &scope)
                try lines.check(after: before)
                try scope.check()
                amend(edit, with: changes)
            } catch {
                lines = before
                noteFault(edit.firing, edit.action, error)
            }
        }
        return lines.count == 0 ? nil : lines.joined
    }

    /// Makes the answer of the rule that answers the request.
    ///
    /// - Returns: the answer; `nil` where no rule answers, or a rule refuses the request.
    /// - Throws: `RuleFault` when a value cannot stand in a field; the client gets a 502 that says so.
    package mutating func answer(_ scope: inout TemplateScope) throws(RuleFault) -> RenderedAnswer? {
        guard let final, case .respond(let answers) = final.rule.final, let step = answers.step(final.count) else {
            return nil
        }
        scope.begin(count: final.count)
        let answer = try RenderedAnswer(step, rule: final.rule.name, &scope)
        try scope.check()
        note(step.text, final, .respond(answers))
        return answer
    }

    /// How the request is refused; `nil` where no rule refuses it.
    package mutating func block() -> RuleBlock? {
        guard let final, case .block(let block) = final.rule.final else { return nil }
        note(block.text, final, .block(block))
        return block
    }

    /// Adds to the record what was done to a body, once it has ended or was skipped.
    package mutating func take(_ editor: BodyEditor) {
        for note in editor.notes {
            if let skipped = note.skipped { noteSkipped(note, skipped) }
            guard !note.what.isEmpty, let place = place(of: note) else { continue }
            uses[place].what = uses[place].what.isEmpty ? note.what : "\(uses[place].what), \(note.what)"
            uses[place].note = uses[place].note ?? note.warning
        }
    }

    /// Adds to the record of a dry run that an exchange would break off, since a body cannot be edited to its end that has begun to pass.
    mutating func noteCut(_ editor: BodyEditor, _ side: MessageSide) {
        guard let cut = editor.cut, let note = editor.notes.first(where: { $0.rule == cut.rule }),
            let place = place(of: note)
        else { return }
        let why = uses[place].note ?? "the body \(cut.why)"
        uses[place].note = "\(why); the \(side.rawValue) breaks off there"
    }

    /// Takes back from the record that Content-Encoding was changed of a message that keeps it, since its body goes on as it came.
    package mutating func noteKeptCodings(of message: EditedMessage) {
        for change in message.kept?.changes ?? [] {
            let place = uses.lastIndex {
                $0.rule == change.rule && $0.action == change.action && $0.phase == change.phase
            }
            guard let place, uses[place].what.hasPrefix(change.with) else { continue }
            let rest = uses[place].what.dropFirst(change.with.count)
            let isFirst = change.without.isEmpty && rest.hasPrefix(", ")
            uses[place].what = change.without + (isFirst ? rest.dropFirst(2) : rest)
            guard uses[place].what.isEmpty else { continue }
            let note = uses[place].note ?? "skipped: the body goes on as it came, and so does Content-Encoding"
            uses[place].note = note.hasPrefix("body skipped: ") ? String(note.dropFirst("body ".count)) : note
        }
    }

    /// What an action does to a body of some kind; `nil` for nothing.
    private func part(
        _ action: RuleAction,
        _ firing: RuleFiring,
        _ kind: BodyKind,
        _ scope: inout TemplateScope
    ) -> BodyEditor.Part? {
        guard let edit = action.bodyEdit else { return nil }
        let note = BodyEditor.Note(
            rule: firing.rule.name,
            index: firing.index,
            phase: firing.phase,
            action: action.word
        )
        return BodyEditor.Part(
            note: note,
            steps: edit.steps(&scope, in: kind.type?.isJSON == true ? .json : .text),
            kind: kind
        )
    }

    /// Adds to the record of a rule that it did not edit the body, or not all of it.
    private mutating func noteSkipped(_ note: BodyEditor.Note, _ why: String) {
        noteFault(at: note.index)
        guard let place = place(of: note) else { return }
        uses[place].note = "\(uses[place].what.isEmpty ? "" : "body ")skipped: \(why)"
    }

    /// The record of the action that a note is of.
    private func place(of note: BodyEditor.Note) -> Int? {
        uses.lastIndex { $0.rule == note.rule && $0.action == note.action && $0.phase == note.phase }
    }

    /// Does an action on a head; `nil` for an action that does not change heads.
    private func apply(
        _ action: RuleAction,
        to lines: inout HeadLines,
        _ message: inout EditedMessage,
        _ scope: inout TemplateScope
    ) throws(RuleFault) -> [EditChange]? {
        switch action {
        case .send(let send):
            let changes = try send.apply(to: &lines)
            return message.destination.take(send) + changes
        case .request(let edit), .response(let edit): return try edit.apply(to: &lines, &scope)
        case .respond, .block, .delay, .throttle, .fault: return nil
        }
    }

    private mutating func note(_ what: String, _ firing: RuleFiring, _ action: RuleAction) {
        uses.append(RuleUse(rule: firing.rule.name, phase: firing.phase, action: action.word, what: what))
    }

    /// Adds to the record of a rule what it changed of the trailers.
    private mutating func amend(_ edit: TrailerEdit, with changes: [EditChange]) {
        let name = edit.firing.rule.name
        guard !changes.isEmpty,
            let place = uses.lastIndex(where: { $0.rule == name && $0.action == edit.action.word })
        else { return }
        let more = changes.text
        uses[place].what = uses[place].what.isEmpty ? more : "\(uses[place].what), \(more)"
    }
}

extension RuleFiring {
    /// Whether the rule edits the body on a side.
    fileprivate func editsBody(of side: MessageSide) -> Bool { actions(on: side).contains { $0.bodyEdit != nil } }
}

extension RuleAction {
    /// The changes to the body; `nil` for none.
    fileprivate var bodyEdit: BodyEdit? {
        switch self {
        case .request(let edit), .response(let edit): edit.body.isEmpty ? nil : edit.body
        case .send, .respond, .block, .delay, .throttle, .fault: nil
        }
    }

    /// The changes to the trailers; `nil` for none.
    fileprivate var trailerEdit: FieldEdit? {
        switch self {
        case .request(let edit), .response(let edit): edit.trailers.isEmpty ? nil : edit.trailers
        case .send, .respond, .block, .delay, .throttle, .fault: nil
        }
    }
}
