import NIOCore

/// A body that is edited while it passes: its codings are undone, it goes through the stages, and it is coded again alike.
///
/// It holds the state of the coders, and what a stage keeps back. A body that turns out not to be coded as it claims passes as it came.
struct BodyStream {
    /// Coded bytes that are kept until the first is decoded.
    private static let keptBytes = 256 << 10

    private enum State {
        case editing
        /// The rest passes as it came.
        case passing
        /// The coded body was damaged: nothing that follows can be read.
        case broken
    }

    private var state = State.editing
    private var stages: [BodyStage]
    /// `nil` for a body without codings.
    private let coder: Coder?
    private let budget = Budget()
    /// What came before anything was decoded.
    private var kept: ByteBuffer? = ByteBuffer()
    /// Whether the encoders hold bytes that have not gone out.
    private var isBehind = false
    /// Bytes by which the stages may still have the body grow.
    private var room = LiteralReplacer.growthLimit
    /// Why no more of the body is edited; `nil` as long as it is.
    private(set) var problem: String?

    /// Why the rest of the body is left out though it could be read; `nil` where it is not.
    private var leftOut: String?
    /// Whether the coded body that came is damaged, or ends early.
    private(set) var isDamaged = false
    /// Whether the body that goes out has a coding.
    private let isCoded: Bool
    /// Whether bytes of that coding have gone out, whose end is left out where the body is not whole.
    private var lacksEnd = false
    /// The outermost coding that came, where the head does not say it any more; `nil` where the codings stay.
    private let lost: ContentCoding?

    /// The coders of a body, in the order of its codings.
    private struct Coder {
        let decoder: ContentDecoder
        let encoder: ContentEncoder
    }

    /// How much may still be made of the piece that is being decoded, and of the body.
    private final class Budget {
        /// Bytes that one piece may decode to, besides those of the best that gzip can do.
        private static let pieceBytes = 16 << 20
        private static let pieceShare = 1_100
        /// Bytes that a body may decode to, and more for each byte that came: honest bodies stay far below.
        private static let baseBytes = 64 << 20
        private static let share = 100

        private var ofPiece = 0
        private var ofBody = Budget.baseBytes
        /// Whether somebody waits for what is made: asked for each piece that is decoded, and for each stage.
        var isWanted: () -> Bool = { true }
        /// Whether more was made than may be.
        var isSpent: Bool { min(ofPiece, ofBody) < 0 }

        /// Begins with the next bytes that came, or with the end.
        func begin(_ count: Int) {
            ofPiece = Budget.pieceBytes + Budget.pieceShare * count
            ofBody += Budget.share * count
        }

        /// Counts bytes that were made; `false` where they are too many, or nobody waits for them.
        func make(_ count: Int) -> Bool {
            ofPiece -= count
            ofBody -= count
            return !isSpent && isWanted()
        }
    }

    /// Prepares to edit a body of a kind.
    ///
    /// - Throws: `RuleFault` where a coding is unknown, or there is no memory for it.
    init(_ stages: [BodyStage], _ kind: BodyKind) throws(RuleFault) {
        self.stages = stages
        isCoded = !kind.sentCodings.isEmpty
        lost = kind.sentCodings == kind.codings ? nil : kind.codings.last.flatMap { ContentCoding(name: $0) }
        guard !kind.codings.isEmpty || !kind.sentCodings.isEmpty else {
            coder = nil
            return
        }
        guard let encoder = ContentEncoder(names: kind.sentCodings) else {
            throw RuleFault("the body cannot be coded again as \(kind.sentCodings.joined(separator: ", "))")
        }
        let decoder = ContentDecoder(names: kind.codings, limitBytes: .max) { [budget] in budget.make($0) }
        coder = Coder(decoder: decoder, encoder: encoder)
    }

    /// Why the rest of the body is left out, in words that follow `the body`, where its end must not look like that of a whole body; `nil` where
    /// nothing is left out, or where the end of a coding is missing then.
    var cut: String? {
        if let leftOut { return leftOut }
        guard !budget.isSpent else { return "decodes to far more than came" }
        return isDamaged && !lacksEnd ? "cannot be decoded to its end" : nil
    }

    /// What the stages changed, in their order, and why one of them changed no more.
    func reports() -> [(changes: BodyChanges, problem: String?)] {
        stages.map { stage in
            var changes = BodyChanges()
            let problem = stage.report(&changes)
            return (changes, problem)
        }
    }

    /// Has the body grow no more, since there is no room for more of it.
    mutating func stopGrowing() { for index in stages.indices { stages[index].stopGrowing() } }

    /// Leaves the rest of the body out, for a reason in words that follow `the body`.
    mutating func leaveOut(_ why: String) {
        (state, leftOut) = (.broken, why)
        problem = problem ?? "the body " + why
    }

    /// Takes the next piece as it came, and gives what goes on; where nobody waits for it, it ends soon, and what it gives means nothing.
    mutating func take(_ piece: ByteBuffer, while isWanted: (() -> Bool)? = nil) -> ByteBuffer {
        watched(isWanted) { $0.take(piece) }
    }

    /// Does something as long as somebody waits for it.
    private mutating func watched(
        _ isWanted: (() -> Bool)?,
        _ work: (inout BodyStream) -> ByteBuffer
    ) -> ByteBuffer {
        budget.isWanted = isWanted ?? { true }
        defer { budget.isWanted = { true } }
        return work(&self)
    }

    private mutating func take(_ piece: ByteBuffer) -> ByteBuffer {
        guard state != .passing else { return piece }
        guard state != .broken, piece.readableBytes > 0 else { return ByteBuffer() }
        guard let coder else { return edit(piece, isLast: false) }
        kept?.writeImmutableBuffer(piece)
        budget.begin(piece.readableBytes)
        var coded: [UInt8] = []
        piece.withUnsafeReadableBytes { bytes in
            coder.decoder.write(bytes) { decoded($0, coder, &coded) }
        }
        if coder.decoder.leavesCodings { return passOn("the body is not coded as its head says") }
        if let kept, kept.readableBytes > BodyStream.keptBytes { return passOn("nothing of the body can be decoded") }
        if coder.decoder.isStopped {
            // Bytes behind the end of the coding mean nothing; a coding that is damaged is not ended, so that the client sees that it is.
            let isWhole = coder.decoder.hasRest
            if isWhole { code(edit(ByteBuffer(), isLast: true), .end, coder, &coded) } else { pause(coder, &coded) }
            if !isWhole { (problem, isDamaged) = (problem ?? coder.decoder.problem, !budget.isSpent) }
            state = .broken
        } else {
            pause(coder, &coded)
        }
        return ByteBuffer(bytes: coded)
    }

    /// Says that the body has ended, and gives what is still to be sent; where nobody waits for it, as `take` does.
    mutating func finish(while isWanted: (() -> Bool)? = nil) -> ByteBuffer { watched(isWanted) { $0.finish() } }

    private mutating func finish() -> ByteBuffer {
        guard state == .editing else { return ByteBuffer() }
        guard let coder else { return edit(ByteBuffer(), isLast: true) }
        let isEmpty = kept?.readableBytes == 0
        budget.begin(0)
        var coded: [UInt8] = []
        coder.decoder.finish { decoded($0, coder, &coded) }
        if coder.decoder.leavesCodings { return passOn("the body is not coded as its head says") }
        let rest = edit(ByteBuffer(), isLast: true)
        problem = problem ?? coder.decoder.problem
        // A body without a byte stays so, although each coding has some bytes for nothing.
        guard !isEmpty || rest.readableBytes > 0 else { return ByteBuffer() }
        isDamaged = !isEmpty && coder.decoder.problem != nil && !budget.isSpent
        code(rest, coder.decoder.problem == nil ? .end : .pause, coder, &coded)
        return ByteBuffer(bytes: coded)
    }

    /// Takes bytes that were decoded.
    private mutating func decoded(_ bytes: UnsafeRawBufferPointer, _ coder: Coder, _ coded: inout [UInt8]) {
        guard !coder.decoder.leavesCodings, state == .editing else { return }
        kept = nil
        code(edit(ByteBuffer(bytes: bytes), isLast: false), .more, coder, &coded)
    }

    /// Lets the body pass as it came, since nothing of it was decoded; one that may have its coding is broken off where the head does not say that.
    private mutating func passOn(_ why: String) -> ByteBuffer {
        defer { kept = nil }
        guard let bytes = kept?.readableBytesView, lost?.mayBegin(bytes) != true else {
            (state, problem, isDamaged) = (.broken, "nothing of the body can be decoded", true)
            return ByteBuffer()
        }
        (state, problem) = (.passing, why)
        return kept ?? ByteBuffer()
    }

    // MARK: Editing and coding

    private mutating func edit(_ piece: ByteBuffer, isLast: Bool) -> ByteBuffer {
        var piece = piece
        for index in stages.indices {
            guard budget.isWanted() else { break }
            piece = stages[index].take(piece, isLast: isLast, room: &room)
        }
        return piece
    }

    /// Has all that was coded so far go out, where there is more of it than went.
    private mutating func pause(_ coder: Coder, _ coded: inout [UInt8]) {
        if isBehind { code(ByteBuffer(), .pause, coder, &coded) }
    }

    private mutating func code(_ bytes: ByteBuffer, _ end: EncodingEnd, _ coder: Coder, _ coded: inout [UInt8]) {
        guard state == .editing, bytes.readableBytes > 0 || end != .more else { return }
        do {
            try bytes.withUnsafeReadableBytes { try coder.encoder.write($0, end, into: &coded) }
            isBehind = end == .more
            lacksEnd = isCoded && (lacksEnd || !coded.isEmpty)
        } catch {
            problem = "there is no memory to code the body again"
            state = .broken
        }
    }
}
