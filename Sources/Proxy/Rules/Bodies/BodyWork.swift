import Atomics
import NIOConcurrencyHelpers
import NIOCore
import Traffic

/// The edit of one body that is there whole, or of the beginning of one that is edited as it passes.
// One thread has its editor at a time: the exchange's loop hands it over, and touches it again only when it is done. What is handed over has coders of
// its own, which no copy of it shares. The body alone is taken away by either, under a lock.
final class BodyWork: @unchecked Sendable {
    /// Bytes of a body that are edited between two questions whether anybody wants it.
    private static let pieceBytes = 64 << 10

    /// Bytes by which a body grows at most: as many as there is room for in all.
    private static let growthLimitBytes = 64 << 20

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
    /// Whether it may hold an event loop up.
    let isLong: Bool
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
        changed =
            editor.needsWhole
            ? editor.edit(whole: body) { [isDropped] in !isDropped.load(ordering: .relaxed) } : passed(body)
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

    /// Edits the body as it would be edited on its way; `nil` where that changes nothing.
    private func passed(_ body: ByteBuffer) -> ByteBuffer? {
        var (rest, out) = (body, ByteBuffer())
        while let piece = rest.readSlice(length: min(Self.pieceBytes, rest.readableBytes)), piece.readableBytes > 0 {
            guard !isDropped.load(ordering: .relaxed) else { return nil }
            out.writeImmutableBuffer(editor.take(piece) { [isDropped] in !isDropped.load(ordering: .relaxed) })
            guard out.readableBytes - count <= Self.growthLimitBytes else { break }
        }
        if isWhole, rest.readableBytes == 0 { out.writeImmutableBuffer(editor.finish()) }
        guard out.readableBytes - count <= Self.growthLimitBytes else {
            editor.leave("the body would grow by over \(Self.growthLimitBytes >> 20) MiB")
            return nil
        }
        if editor.leaveDamaged() { return nil }
        return isWhole && out == body ? nil : out
    }
}
