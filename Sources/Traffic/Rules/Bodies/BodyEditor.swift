package import NIOCore

/// Does to the body of one message what the rules that apply say, on the message's event loop.
///
/// A body that is edited whole goes to `edit(whole:)` or, where it cannot be had, to `skip`; any other goes to `take`, piece by piece, and to `finish`.
/// An editor is used for one body and has one owner: it holds the state of coders, which copies of it would share.
package struct BodyEditor {
    /// What was done to the body by one action of one rule, or why nothing was.
    package struct Note: Hashable, Sendable {
        let rule: String
        /// The rule's place in the list.
        let index: Int
        let phase: RulePhase
        /// The word of the action: `request` or `response`.
        let action: String
        /// The changes on a line: `$.items[*].role ×20`; empty when nothing changed.
        package var what = ""
        /// What is to be known besides: `ETag kept`; `nil` for nothing.
        package var warning: String?
        /// Why the body was not edited, or only its beginning: `body over 8 MiB`; `nil` where it was.
        package var skipped: String?
    }

    /// What one action of one rule does.
    struct Part {
        var note: Note
        let steps: [BodyStep]
        /// What the body is that it changes, or that it makes.
        let kind: BodyKind
    }

    /// Whether the whole body is needed before anything of it can go on; otherwise each piece is edited as it comes.
    package let needsWhole: Bool
    /// Decoded bytes of a body that is edited whole; a longer one goes on as it came.
    package var limitBytes = RuleGap.limitBytes
    /// What was done so far, in the order of the rules; whole once the body has ended or was skipped.
    package var notes: [Note] { parts.map(\.note) }

    /// The first rule that edits a body that passes, where the rest of it is left out, and why, in words that follow `the body`: its end must not look
    /// like that of a whole body.
    package var cut: (rule: String, why: String)? {
        guard let why = stream?.body.cut, let rule = parts.first?.note.rule else { return nil }
        return (rule, why)
    }

    /// Why a body that passes cannot be decoded to its end, in words that follow `skipped:`; `nil` as long as it can.
    package var damage: String? {
        guard let body = stream?.body, body.isDamaged else { return nil }
        return BodyEditor.words(body.problem ?? "the body cannot be decoded")
    }

    /// Whether the body goes out with other codings than it came with, though nothing else of it may change.
    package var recodes: Bool { kind.sentCodings != kind.codings }

    /// Whether the edit of a whole body was given up, since it was to be done soon and takes longer.
    package private(set) var isGivenUp = false

    /// Whether nothing is done to the body as it passes: no text is left to put in, or it cannot be coded again.
    package var isIdle: Bool { !needsWhole && stream == nil }

    private let kind: BodyKind
    private var parts: [Part]
    /// The body while it passes, and how many of its stages each part has; `nil` where it is edited whole.
    private var stream: (body: BodyStream, counts: [Int])?

    /// Prepares to edit a body.
    ///
    /// - Parameters:
    ///   - parts: what each rule does, in order.
    ///   - kind: what the head says of the body.
    init(_ parts: [Part], _ kind: BodyKind) {
        let needsWhole = parts.contains { part in part.steps.contains { $0.needsWhole(part.kind.charset) } }
        (self.parts, self.kind, self.needsWhole) = (parts, kind, needsWhole)
        if !needsWhole { stream = makeStream() }
    }

    /// An editor of another body of the same kind, with coders of its own.
    package var fresh: BodyEditor {
        var fresh = BodyEditor(parts, kind)
        fresh.limitBytes = limitBytes
        return fresh
    }

    /// Takes the next piece of the content, as it came, still coded.
    ///
    /// - Parameters:
    ///   - piece: the piece.
    ///   - isWanted: whether somebody waits for it still, asked now and then; where nobody does, it ends soon, and what it gives means nothing.
    /// - Returns: what goes on now, coded alike; it can be empty.
    package mutating func take(_ piece: ByteBuffer, while isWanted: (() -> Bool)? = nil) -> ByteBuffer {
        stream?.body.take(piece, while: isWanted) ?? piece
    }

    /// Has a body that passes grow no more, since there is no room for more of it.
    package mutating func stopGrowing() { stream?.body.stopGrowing() }

    /// Leaves the rest of a body out that passes (`cut`).
    ///
    /// - Parameter why: the reason, in words that follow `the body`.
    package mutating func leaveOut(_ why: String) { stream?.body.leaveOut(why) }

    /// Says that the content has ended.
    ///
    /// - Parameter isWanted: whether somebody waits for it still, as `take` asks.
    /// - Returns: what is still to be sent; it can be empty.
    package mutating func finish(while isWanted: (() -> Bool)? = nil) -> ByteBuffer {
        let rest = stream?.body.finish(while: isWanted) ?? ByteBuffer()
        report()
        return rest
    }

    // MARK: A body that is kept

    /// Bytes by which a body that was kept and is edited as it would be on its way grows at most.
    private static let growthLimitBytes = 64 << 20
    /// Bytes of a body that are edited between two questions whether anybody wants it.
    private static let pieceBytes = 64 << 10

    /// Edits a body that was kept.
    ///
    /// - Parameters:
    ///   - body: the content as it came, still coded; empty for a message without any.
    ///   - isWhole: whether it is all of the body; the editor takes more behind a beginning, which is edited as it would be on its way.
    ///   - isWanted: whether somebody waits for it still, asked now and then; where nobody does, it ends soon, and what it gives means nothing.
    /// - Returns: the content that goes on in its place; `nil` where nothing changes, so that the bytes that came go on.
    package mutating func edit(
        kept body: ByteBuffer,
        isWhole: Bool = true,
        while isWanted: @escaping () -> Bool = { true }
    ) -> ByteBuffer? {
        if needsWhole { return edit(whole: body, while: isWanted) }
        let limit = body.readableBytes + BodyEditor.growthLimitBytes
        var (rest, out) = (body, ByteBuffer())
        while out.readableBytes <= limit, rest.readableBytes > 0,
            let piece = rest.readSlice(length: min(BodyEditor.pieceBytes, rest.readableBytes))
        {
            guard isWanted() else { return nil }
            out.writeImmutableBuffer(take(piece, while: isWanted))
        }
        if isWhole, out.readableBytes <= limit { out.writeImmutableBuffer(finish(while: isWanted)) }
        guard out.readableBytes <= limit else {
            leave("the body would grow by over \(BodyEditor.growthLimitBytes >> 20) MiB")
            return nil
        }
        // As it came its client sees what is wrong with it.
        if let why = damage ?? cut.map({ "the body \($0.why)" }) {
            leave(why)
            return nil
        }
        return isWhole && out == body ? nil : out
    }

    /// Edits a whole body.
    ///
    /// - Parameters:
    ///   - body: the content as it came, still coded; empty for a message without any.
    ///   - isQuick: whether it is to be done soon; where it takes longer, it is given up (`isGivenUp`), and the notes mean nothing.
    ///   - isWanted: whether somebody waits for it still, asked now and then; where nobody does, it ends soon, and what it gives means nothing.
    /// - Returns: the content that goes on in its place, coded alike; `nil` where nothing changes, so that the bytes that came go on.
    package mutating func edit(
        whole body: ByteBuffer,
        isQuick: Bool = false,
        while isWanted: @escaping () -> Bool = { true }
    ) -> ByteBuffer? {
        var pieces: [UInt8] = []
        let decoder = ContentDecoder(names: kind.codings, limitBytes: limitBytes) { _ in isWanted() }
        body.withUnsafeReadableBytes { decoder.write($0) { pieces.append(contentsOf: $0) } }
        decoder.finish { pieces.append(contentsOf: $0) }
        if decoder.isCut {
            skip("body over \(limitBytes >> 20) MiB")
            return nil
        }
        if decoder.leavesCodings || decoder.problem != nil && !decoder.hasRest {
            skip(decoder.problem.map(BodyEditor.words) ?? "the body cannot be decoded")
            return nil
        }
        var edited = WholeBody(pieces, kind)
        var work = EditWork(isQuick ? EditWork.quickLimitBytes : EditWork.bodyLimitBytes, isWanted: isWanted)
        for index in parts.indices { edit(&edited, index, &work) }
        isGivenUp = isQuick && !work.read(0)
        guard !isGivenUp else { return nil }
        if edited.bytes == pieces {
            for index in parts.indices { parts[index].note.what = "" }
            if !recodes { return nil }
        }
        guard isWanted() else { return nil }
        guard let coded = ContentEncoder.encode(edited.bytes, names: kind.sentCodings, while: isWanted) else {
            skip("the body cannot be coded again as \(kind.sentCodings.joined(separator: ", "))")
            return nil
        }
        return ByteBuffer(bytes: coded)
    }

    private mutating func edit(_ body: inout WholeBody, _ index: Int, _ work: inout EditWork) {
        body.kind = parts[index].kind
        let before = body
        var changes = BodyChanges()
        do throws(RuleFault) {
            try body.apply(parts[index].steps, &changes, &work)
            note(changes, index)
        } catch {
            body = before
            parts[index].note.skipped = error.sentence
        }
    }

    /// Takes note that the body cannot be had whole, so that it goes on as it came; of a body that passes, that its end did not come.
    ///
    /// - Parameter why: the reason in words that follow `skipped:`, such as `body over 8 MiB`.
    package mutating func skip(_ why: String) {
        if stream != nil { report() }
        for index in parts.indices where stream == nil || parts[index].note.what.isEmpty {
            (parts[index].note.what, parts[index].note.warning) = ("", nil)
            // What is known of it already is nearer the truth than that its end did not come.
            if stream == nil || parts[index].note.skipped == nil { parts[index].note.skipped = why }
        }
        stream = nil
    }

    /// Takes note that a body which could have been edited as it passes goes on as it came, all of it, whatever was changed before.
    package mutating func leave(_ why: String) {
        stream = nil
        skip(why)
    }

    /// Whether the edit of a whole body of so many bytes, as they came, is soon done, unless much is made of them.
    package func isQuick(_ count: Int) -> Bool {
        let steps = parts.flatMap(\.steps)
        return kind.codings.isEmpty && !recodes && count <= 64 << 10
            && steps.reduce(0) { $0 + $1.edits(of: count) } <= BodyEditor.quickLimit
            && !steps.contains(where: \.findsByRegex)
    }

    /// Changes of a short body that are soon made, each of which may read it anew.
    private static let quickLimit = 64

    // MARK: A body that passes

    private mutating func makeStream() -> (body: BodyStream, counts: [Int])? {
        var stages: [BodyStage] = []
        var counts: [Int] = []
        for index in parts.indices {
            do throws(RuleFault) {
                let own = try BodyEditor.stages(parts[index].steps, in: parts[index].kind.charset)
                stages += own
                counts.append(own.count)
            } catch {
                parts[index].note.skipped = error.sentence
                counts.append(0)
            }
        }
        // What nothing changes passes as it came.
        guard !stages.isEmpty || recodes else { return nil }
        do throws(RuleFault) { return (try BodyStream(stages, kind), counts) } catch {
            for index in parts.indices { parts[index].note.skipped = error.sentence }
            return nil
        }
    }

    private static func stages(_ steps: [BodyStep], in charset: Charset?) throws(RuleFault) -> [BodyStage] {
        var stages: [BodyStage] = []
        for step in steps { if let stage = try BodyStage(step, in: charset) { stages.append(stage) } }
        return stages
    }

    /// Notes what the stages did.
    private mutating func report() {
        guard let stream else { return }
        var reports = stream.body.reports()[...]
        for (index, count) in stream.counts.enumerated() where count > 0 {
            var changes = BodyChanges()
            for report in reports.prefix(count) {
                changes.add(report.changes)
                if let problem = report.problem { parts[index].note.skipped = problem }
            }
            reports = reports.dropFirst(count)
            note(changes, index)
            if let problem = stream.body.problem { parts[index].note.skipped = BodyEditor.words(problem) }
        }
    }

    private mutating func note(_ changes: BodyChanges, _ index: Int) {
        parts[index].note.what = changes.text
        guard !changes.isEmpty, !kind.digests.isEmpty else { return }
        parts[index].note.warning = "\(kind.digests.joined(separator: ", ")) kept"
    }

    /// A sentence as it follows `skipped:`, without what it says of views.
    private static func words(_ sentence: String) -> String {
        let sentence = sentence.split(separator: ";").first.map(String.init) ?? sentence
        let plain = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
        return plain.hasPrefix("The ") ? "the " + plain.dropFirst(4) : String(plain)
    }
}
