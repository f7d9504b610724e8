/// Undoes a body's content codings piece by piece, holding a constant amount of memory whatever the body's length.
///
/// Never traps and never throws: what is damaged, cut short or too long ends the output and leaves a sentence in `problem`.
package final class ContentDecoder {
    /// A message with more codings than this is not decoded: nobody sends them honestly, and each costs memory.
    private static let codingsLimit = 8

    /// Why the output is not the whole body, as one sentence; `nil` as long as it is.
    package private(set) var problem: String?
    /// Decoded bytes given so far.
    package var length: Int { stages.isEmpty ? passed : lengths[stages.count - 1] }
    /// Whether nothing is undone: there are no codings, or the outermost is unknown.
    package var isIdentity: Bool { stages.isEmpty }

    private let limitBytes: Int
    /// In the order they are undone.
    private var stages: [any DecodingStage] = []
    /// What each stage has given; each is held to the limit, so that one stage cannot keep the next busy for ever.
    private var lengths: [Int] = []
    /// What has gone through where there is no stage.
    private var passed = 0
    private var isStopped = false

    /// Prepares to undo codings.
    ///
    /// - Parameters:
    ///   - names: the codings in the order they were applied, as in Content-Encoding.
    ///   - limitBytes: no more than this is given out.
    package init(names: [String], limitBytes: Int) {
        self.limitBytes = limitBytes
        guard names.count <= ContentDecoder.codingsLimit else {
            problem =
                "The body has \(names.count) content codings, more than the \(ContentDecoder.codingsLimit) that are undone."
            return
        }
        for name in names.reversed() {
            guard let coding = ContentCoding(name: name), let stage = coding.stage() else {
                problem = "The content coding \"\(name)\" is unknown, so the body is shown with it."
                break
            }
            stages.append(stage)
        }
        lengths = Array(repeating: 0, count: stages.count)
    }

    /// Takes the next coded bytes and gives what they decode to, at most 64 KiB at a time.
    package func write(_ coded: [UInt8], _ give: (UnsafeRawBufferPointer) -> Void) {
        coded.withUnsafeBytes { if !$0.isEmpty, !isStopped { run(0, $0, give) } }
    }

    /// Says that the body has ended: a stream that has not is a problem.
    package func finish() {
        guard !isStopped else { return }
        for stage in stages {
            do throws(DecodingProblem) {
                try stage.finish()
            } catch {
                problem = problem ?? error.sentence
                return
            }
        }
    }

    /// Runs bytes through the stages from `index` on; false when nothing more is wanted.
    @discardableResult
    private func run(_ index: Int, _ bytes: UnsafeRawBufferPointer, _ give: (UnsafeRawBufferPointer) -> Void) -> Bool {
        guard index < stages.count else {
            if stages.isEmpty {
                let wanted = bytes.prefix(limitBytes - passed)
                passed += wanted.count
                give(UnsafeRawBufferPointer(rebasing: wanted))
                if wanted.count < bytes.count {
                    stop("The body is longer than the \(limitBytes) bytes that are shown.")
                }
            } else {
                give(bytes)
            }
            return !isStopped
        }
        do throws(DecodingProblem) {
            try stages[index].decode(bytes) { piece in
                let wanted = piece.prefix(limitBytes - lengths[index])
                lengths[index] += wanted.count
                let goesOn = wanted.isEmpty || run(index + 1, UnsafeRawBufferPointer(rebasing: wanted), give)
                if wanted.count < piece.count {
                    stop("The body decodes to more than \(limitBytes) bytes; the rest is left out.")
                }
                return goesOn && !isStopped
            }
        } catch {
            stop(error.sentence)
        }
        return !isStopped
    }

    private func stop(_ sentence: String) {
        isStopped = true
        problem = problem ?? sentence
    }
}
