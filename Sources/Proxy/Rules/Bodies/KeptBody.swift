import NIOCore
import Traffic

/// The body of a message as far as it is kept because rules look at it.
struct KeptBody {
    /// Why a body is not kept, or grows no more, in words that follow `skipped:`.
    static let noRoom = "too many bodies are kept for rules at once"

    private(set) var bytes = ByteBuffer()
    /// Why no more of it is kept, in words that follow `skipped:`; `nil` while all of it is.
    private(set) var gap: String?

    /// Keeps more of the body; from the first bytes on that there is no room for, nothing more is kept.
    ///
    /// - Parameters:
    ///   - more: the next bytes.
    ///   - bodies: counts them.
    ///   - copies: how often they are held, with what waits elsewhere meanwhile.
    mutating func take(_ more: ByteBuffer, _ bodies: RuleBodies, copies: Int = 1) {
        guard gap == nil else { return }
        if bytes.readableBytes + more.readableBytes > bodies.bodyLimitBytes {
            gap = RuleGap.over(bodies.bodyLimitBytes)
        } else if !bodies.take(copies * more.readableBytes) {
            gap = KeptBody.noRoom
        } else {
            bytes.writeImmutableBuffer(more)
        }
    }

    /// Gives its room back; where no more was kept, that stays so.
    mutating func free(_ bodies: RuleBodies) {
        bodies.give(bytes.readableBytes)
        bytes = ByteBuffer()
    }
}
