/// Undoes a body's content codings piece by piece, holding a constant amount of memory whatever the body's length.
///
/// It never traps and never throws: a body that is damaged, cut short or too long ends the output and leaves a sentence in `problem`. Bytes that are
/// not coded as they claim, so that none of them decodes, are given as they are.
package final class ContentDecoder {
    /// A message with more codings than this is not decoded: nobody sends them honestly, and each costs memory and time.
    package static let codingsLimit = 4
    /// Bytes of a stage's input that are kept until it gives something, so that they can be given in its place.
    private static let keptLimitBytes = 64 << 10

    /// A coding to be undone.
    private struct Step {
        let stage: any DecodingStage
        /// Bytes that it has given; the limit holds for each stage, so that none can keep the next one busy for ever.
        var length = 0
        /// The bytes that it was given so far; `nil` once it has given something, or was given more than are kept.
        var kept: [UInt8]? = []
    }

    /// Why the output is not the whole body, as one sentence; `nil` as long as it is.
    package private(set) var problem: String?
    /// Decoded bytes given so far.
    package private(set) var length = 0
    /// Whether nothing is to be undone: there are no codings, or the outermost is unknown.
    package let isIdentity: Bool
    /// Whether nothing more will be given.
    package private(set) var isStopped = false
    /// Whether what is given still has a coding that could not be undone.
    package private(set) var leavesCodings = false

    /// Whether the body decodes to more than `limitBytes`.
    package private(set) var isCut = false
    /// Whether the codings were undone to their end, and bytes follow it.
    private(set) var hasRest = false

    private let limitBytes: Int
    private let mayGive: (_ bytes: Int) -> Bool
    /// The steps, in the order in which they are undone.
    private var steps: [Step] = []

    /// Prepares to undo codings.
    ///
    /// - Parameters:
    ///   - names: the codings in the order they were applied, as in Content-Encoding.
    ///   - limitBytes: no more than this is given out.
    ///   - mayGive: asked about every piece that a stage gives, to the next stage too; false ends the decoding. So a write on an event loop returns
    ///     within a known time.
    package init(names: [String], limitBytes: Int, mayGive: @escaping (_ bytes: Int) -> Bool = { _ in true }) {
        self.limitBytes = limitBytes
        self.mayGive = mayGive
        guard names.count <= ContentDecoder.codingsLimit else {
            problem =
                "The body has \(names.count) content codings, more than the \(ContentDecoder.codingsLimit) that are undone, so it is shown with them."
            leavesCodings = true
            isIdentity = true
            return
        }
        for name in names.reversed() {
            guard let coding = ContentCoding(name: name), let stage = coding.stage() else {
                problem = "The content coding \"\(name)\" is unknown, so the body is shown with it."
                leavesCodings = true
                break
            }
            steps.append(Step(stage: stage))
        }
        isIdentity = steps.isEmpty
    }

    /// Bytes of memory that it holds between two writes.
    package var heldBytes: Int { steps.reduce(0) { $0 + $1.stage.heldBytes + ($1.kept?.count ?? 0) } }

    /// Takes the next coded bytes and gives what they decode to, at most 64 KiB at a time.
    package func write(_ coded: [UInt8], _ give: (UnsafeRawBufferPointer) -> Void) {
        coded.withUnsafeBytes { write($0, give) }
    }

    /// Takes the next coded bytes and gives what they decode to, at most 64 KiB at a time.
    package func write(_ coded: UnsafeRawBufferPointer, _ give: (UnsafeRawBufferPointer) -> Void) {
        if !coded.isEmpty, !isStopped { run(0, coded, give) }
        if isStopped { steps = [] }
    }

    /// Ends the decoding, also from within what takes the decoded bytes; `sentence` says why.
    package func stop(_ sentence: String) {
        isStopped = true
        add(sentence)
    }

    /// Ends the decoding and lets go of its memory, unlike `stop` not from within what takes the decoded bytes; `sentence` says why.
    package func giveUp(_ sentence: String) {
        stop(sentence)
        steps = []
    }

    /// Says that the body has ended; a coded stream without its end is a problem.
    ///
    /// - Parameters:
    ///   - isWhole: false when more of the body passed than is here, so that an early end is no problem.
    ///   - give: takes the bytes as sent where nothing could be decoded.
    package func finish(isWhole: Bool = true, _ give: (UnsafeRawBufferPointer) -> Void) {
        finish(from: 0, isWhole: isWhole, give)
    }

    /// Ends the steps from `index` on.
    private func finish(from index: Int, isWhole: Bool = true, _ give: (UnsafeRawBufferPointer) -> Void) {
        for index in index..<steps.count where !isStopped {
            do throws(DecodingProblem) {
                try steps[index].stage.finish()
            } catch {
                if !giveAsSent(index, error, give), isWhole { add(error.sentence) }
                isStopped = true
            }
        }
    }

    /// Runs bytes through the stages from `index` on; false when nothing more is wanted.
    @discardableResult
    private func run(_ index: Int, _ bytes: UnsafeRawBufferPointer, _ give: (UnsafeRawBufferPointer) -> Void) -> Bool {
        guard index < steps.count else {
            let wanted = bytes.prefix(limitBytes - length)
            length += wanted.count
            if !wanted.isEmpty { give(UnsafeRawBufferPointer(rebasing: wanted)) }
            if wanted.count < bytes.count {
                isCut = true
                stop("The body is longer than the \(limitBytes) bytes that are shown.")
            }
            return !isStopped
        }
        keep(bytes, for: index)
        let stage = steps[index].stage
        do throws(DecodingProblem) {
            try stage.decode(bytes) { piece in
                steps[index].kept = nil
                let wanted = piece.prefix(limitBytes - steps[index].length)
                steps[index].length += wanted.count
                guard mayGive(wanted.count) else {
                    isCut = true
                    stop("It decodes to far more than came; the rest is left out.")
                    return false
                }
                let goesOn = wanted.isEmpty || run(index + 1, UnsafeRawBufferPointer(rebasing: wanted), give)
                if wanted.count < piece.count {
                    isCut = true
                    stop("The body decodes to more than \(limitBytes) bytes; the rest is left out.")
                }
                return goesOn && !isStopped
            }
        } catch {
            if error.isBehindEnd {
                // What is under a coding that has ended has its end there too.
                finish(from: index + 1, give)
                hasRest = !isStopped
            }
            if !giveAsSent(index, error, give) { stop(error.sentence) }
        }
        return !isStopped
    }

    private func keep(_ bytes: UnsafeRawBufferPointer, for index: Int) {
        guard let kept = steps[index].kept else { return }
        if kept.count + bytes.count > ContentDecoder.keptLimitBytes {
            steps[index].kept = nil
        } else {
            steps[index].kept?.append(contentsOf: bytes)
        }
    }

    /// Gives up a coding of which nothing could be undone, and those under it: their bytes are given as they are.
    private func giveAsSent(
        _ index: Int,
        _ problem: DecodingProblem,
        _ give: (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        guard !problem.isBehindEnd, let kept = steps[index].kept else { return false }
        steps.removeSubrange(index...)
        leavesCodings = true
        add(problem.sentenceAsSent)
        kept.withUnsafeBytes { _ = run(index, $0, give) }
        return true
    }

    private func add(_ sentence: String) { problem = problem.map { "\($0) \(sentence)" } ?? sentence }
}
