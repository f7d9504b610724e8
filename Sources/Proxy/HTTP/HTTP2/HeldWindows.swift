/// The streams of an HTTP/2 connection whose windows are held, and by how much each is to be opened on release (RFC 9113 §6.9).
///
/// It has one entry for each held stream; an increment is at most the stream's window.
struct HeldWindows {
    private var increments: [UInt32: UInt32] = [:]

    mutating func hold(_ stream: UInt32) { if increments[stream] == nil { increments[stream] = 0 } }

    /// Keeps an increment for later; returns false where the stream is not held.
    mutating func keep(_ increment: UInt32, of stream: UInt32) -> Bool {
        guard !increments.isEmpty, let kept = increments[stream] else { return false }
        increments[stream] = kept &+ increment
        return true
    }

    /// Releases a stream.
    ///
    /// - Returns: by how much to open its window; `nil` for not at all.
    mutating func release(_ stream: UInt32) -> UInt32? {
        increments.removeValue(forKey: stream).flatMap { $0 > 0 ? $0 : nil }
    }
}
