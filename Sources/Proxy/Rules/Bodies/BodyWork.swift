import NIOConcurrencyHelpers
import NIOCore
import Traffic

/// The edit of one body that is there whole.
// One thread has it at a time: its exchange's loop hands it over, and touches it again only when it is done. What is handed over edits the body
// whole, so that its editor holds values alone, and no coder that a copy of it would share.
final class BodyWork: @unchecked Sendable {
    private(set) var editor: BodyEditor
    private let body: ByteBuffer
    /// The body that goes on; `nil` where nothing changed, and before it is done.
    private(set) var changed: ByteBuffer?
    private let isDropped = NIOLockedValueBox(false)

    init(_ editor: BodyEditor, _ body: ByteBuffer) { (self.editor, self.body) = (editor, body) }

    /// Whether it may hold an event loop up.
    var isLong: Bool { editor.needsWhole && !editor.isQuick(body.readableBytes) }

    /// Edits the body, unless nobody wants it any more.
    func run() {
        guard !isDropped.withLockedValue({ $0 }) else { return }
        changed = editor.needsWhole ? editor.edit(whole: body) : passed()
    }

    /// Says from the exchange's loop that nobody wants it any more: where it has not begun, it holds up nothing that waits behind it.
    func drop() { isDropped.withLockedValue { $0 = true } }

    /// Edits the body as it would be edited on its way; `nil` where that changes nothing.
    private func passed() -> ByteBuffer? {
        var out = body.readableBytes > 0 ? editor.take(body) : ByteBuffer()
        out.writeImmutableBuffer(editor.finish())
        return out == body ? nil : out
    }
}
