import NIOConcurrencyHelpers
import NIOCore
import Traffic

/// The edit of one body that is there whole.
// One thread has its editor at a time: the exchange's loop hands it over, and touches it again only when it is done. What is handed over edits the
// body whole, so that its editor holds values alone, and no coder that a copy of it would share. The body alone is taken away by either, under a lock.
final class BodyWork: @unchecked Sendable {
    private(set) var editor: BodyEditor
    /// `nil` once it is being edited, or nobody wants it any more.
    private let body: NIOLockedValueBox<ByteBuffer?>
    /// The body that goes on; `nil` where nothing changed, and before it is done.
    private(set) var changed: ByteBuffer?
    /// Whether it may hold an event loop up.
    let isLong: Bool
    /// Bytes of the body that came.
    private let count: Int

    init(_ editor: BodyEditor, _ body: ByteBuffer) {
        (self.editor, self.body, count) = (editor, NIOLockedValueBox(body), body.readableBytes)
        isLong = editor.needsWhole && !editor.isQuick(body.readableBytes)
    }

    /// Bytes by which the body has grown; 0 before it is done.
    var growth: Int { max(0, (changed?.readableBytes ?? 0) - count) }

    /// Edits the body, unless nobody wants it any more.
    func run() {
        guard let body = take() else { return }
        changed = editor.needsWhole ? editor.edit(whole: body) : passed(body)
    }

    /// Says from the exchange's loop that nobody wants it any more: where it has not begun, its body is free, and nothing waits for it.
    func drop() { _ = take() }

    private func take() -> ByteBuffer? {
        body.withLockedValue { body in
            defer { body = nil }
            return body
        }
    }

    /// Edits the body as it would be edited on its way; `nil` where that changes nothing.
    private func passed(_ body: ByteBuffer) -> ByteBuffer? {
        var out = body.readableBytes > 0 ? editor.take(body) : ByteBuffer()
        out.writeImmutableBuffer(editor.finish())
        guard editor.cutter == nil else {
            editor.leave("the body decodes to far more than came")
            return nil
        }
        return out == body ? nil : out
    }
}
