import Atomics
import NIOConcurrencyHelpers
import NIOCore
import Traffic

/// The edit of one body that is there whole, or of the beginning of one that is edited as it passes.
// One thread has its editor at a time: the exchange's loop hands it over, and touches it again only when it is done. What is handed over has coders of
// its own, which no copy of it shares. The body alone is taken away by either, under a lock.
final class BodyWork: @unchecked Sendable {
    private(set) var editor: BodyEditor
    /// `nil` once it is being edited, or nobody wants it any more.
    private let body: NIOLockedValueBox<ByteBuffer?>
    private let isDropped = ManagedAtomic<Bool>(false)
    /// Takes it out of what waits for a thread; the exchange's loop alone has it.
    var leaveQueue: () -> Void = {}
    /// The body that goes on; `nil` before it is done, where nothing of a whole one changed, and where a beginning could not be edited.
    private(set) var changed: ByteBuffer?
    /// Whether it is all of the body; more is to follow a beginning, for which the editor stays in use.
    let isWhole: Bool
    /// Whether it may hold an event loop up; that does not change once it is handed over.
    private(set) var isLong: Bool
    /// Bytes of the body that came.
    let count: Int

    init(_ editor: BodyEditor, _ body: ByteBuffer, isWhole: Bool = true) {
        (self.body, count, isLong) = (NIOLockedValueBox(body), body.readableBytes, !editor.isQuick(body.readableBytes))
        (self.editor, self.isWhole) = (editor, isWhole)
    }

    /// Bytes by which the body has grown; 0 before it is done.
    var growth: Int { max(0, (changed?.readableBytes ?? 0) - count) }

    /// Edits the body, unless nobody wants it any more.
    func run() {
        guard let body = take() else { return }
        if isLong { editor = editor.fresh }
        changed = editor.edit(kept: body, isWhole: isWhole) { [isDropped] in !isDropped.load(ordering: .relaxed) }
    }

    /// Edits the body at once where that is soon done; where it is not, nothing is done.
    ///
    /// - Returns: whether it is done.
    func runSoon() -> Bool {
        guard !isLong else { return false }
        guard editor.needsWhole, let whole = body.withLockedValue({ $0 }) else {
            run()
            return true
        }
        var quick = editor.fresh
        changed = quick.edit(whole: whole, isQuick: true)
        isLong = quick.isGivenUp
        guard !isLong else { return false }
        editor = quick
        _ = take()
        return true
    }

    /// Says from the exchange's loop that nobody wants it any more: where it has not begun, its body is free, and where it has, it ends soon.
    func drop() {
        isDropped.store(true, ordering: .relaxed)
        _ = take()
        leaveQueue()
        leaveQueue = {}
    }

    private func take() -> ByteBuffer? {
        body.withLockedValue { body in
            defer { body = nil }
            return body
        }
    }
}
