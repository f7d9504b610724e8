/// The streams of an HTTP/2 connection whose windows are not opened for now, and by how much each is to be opened then (RFC 9113 §6.9).
///
/// One entry a stream that is held; an increment is at most the stream's window.
struct HeldWindows {
    private var increments: [UInt32: UInt32] = [:]

    mutating func hold(_ stream: UInt32) { if increments[stream] == nil { increments[stream] = 0 } }

    /// Keeps an increment for later; false when the stream is not held.
    mutating func keep(_ increment: UInt32, of stream: UInt32) -> Bool {
        guard !increments.isEmpty, let kept = increments[stream] else { return false }
        increments[stream] = kept &+ increment
        return true
    }

    /// Holds a stream no longer.
    ///
    /// - Returns: by how much its window is to be opened; `nil` when by nothing.
    mutating func release(_ stream: UInt32) -> UInt32? {
        increments.removeValue(forKey: stream).flatMap { $0 > 0 ? $0 : nil }
    }
}
