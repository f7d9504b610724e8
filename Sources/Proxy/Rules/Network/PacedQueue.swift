import DequeModule
import NIOCore
import Traffic

/// Hands out in order what waits: each part at its moment, and content piece by piece as it has its place on a narrow line.
///
/// Times are nanoseconds of the proxy's clock.
struct PacedQueue<Part: PacedPart> {
    /// What happens next.
    enum Step {
        /// The part passes; it waits no longer.
        case pass(Part)
        case wait(until: Int64)
        /// Nothing waits.
        case rest
    }

    /// A loop that is late by more than this loses the line for the rest: 250 ms.
    private static var lagLimit: Int64 { 250_000_000 }

    private var waiting = Deque<(part: Part, ready: Int64)>()
    /// A piece of content that has its place on the line.
    private var due: (bytes: ByteBuffer, at: Int64)?
    /// Bytes of content that wait.
    private var waitingBytes = 0
    private var pace = BodyPace()
    /// When the piece before was to pass.
    private var passedAt = Int64.min
    /// When what came last may pass at the earliest: the order is kept.
    private var lastReady = Int64.min
    private var isLifted = false
    /// Bytes of content that wait, from which on no more is to be taken.
    var limitBytes = 64 << 10
    /// Parts that wait, from which on no more is to be taken: a part of one byte may hold a thousand.
    private static var limit: Int { 1_024 }

    /// Whether nothing waits.
    var isEmpty: Bool { due == nil && waiting.isEmpty }

    /// Whether no more is to be taken of a stream of messages, each of which waits for its half of a round trip.
    var isFull: Bool { waitingBytes >= limitBytes || waiting.count >= Self.limit }

    /// The part that is next; `nil` where a piece of content is, or nothing.
    var first: Part? { due == nil ? waiting.first?.part : nil }

    /// Has content pass at another pace.
    mutating func follow(_ pace: BodyPace) { if !isLifted { self.pace = pace } }

    /// Takes a part that came at a moment, and is on its way for a time.
    mutating func take(_ part: Part, at now: Int64, latency: Int64) {
        lastReady = max(lastReady, isLifted ? now : now + latency)
        waitingBytes += part.content?.readableBytes ?? 0
        waiting.append((part, lastReady))
    }

    /// Puts back before everything else what was passed and could not be used.
    mutating func putBack(_ part: Part, at now: Int64) {
        waitingBytes += part.content?.readableBytes ?? 0
        waiting.prepend((part, now))
    }

    /// The next step.
    mutating func next(_ now: Int64) -> Step {
        while due == nil, let first = waiting.first {
            guard first.ready <= now else { return .wait(until: first.ready) }
            guard let bytes = first.part.content, bytes.readableBytes > 0 else {
                waiting.removeFirst()
                return .pass(first.part)
            }
            plan(bytes, first.ready, now)
        }
        guard let piece = due else { return .rest }
        guard piece.at <= now else { return .wait(until: piece.at) }
        due = nil
        waitingBytes -= piece.bytes.readableBytes
        return .pass(.body(piece.bytes))
    }

    /// Gives the next piece of content its place on the line, or has it wait before it gets one.
    private mutating func plan(_ bytes: ByteBuffer, _ ready: Int64, _ now: Int64) {
        switch pace.next(bytes.readableBytes, ready: max(ready, passedAt, now - Self.lagLimit)) {
        case .wait(let until): waiting[0].ready = until
        case .pass(let count, let at):
            passedAt = at
            var rest = bytes
            guard count < bytes.readableBytes, let piece = rest.readSlice(length: count) else {
                waiting.removeFirst()
                due = (bytes, at)
                return
            }
            waiting[0].part = .body(rest)
            due = (piece, at)
        }
    }

    /// Has everything pass at once from here on.
    mutating func lift() {
        isLifted = true
        pace = BodyPace()
        (passedAt, lastReady) = (.min, .min)
        due?.at = .min
        for index in waiting.indices { waiting[index].ready = .min }
    }

    /// Forgets what waits.
    mutating func clear() {
        if due != nil { pace.giveBack() }
        waiting.removeAll()
        (due, waitingBytes) = (nil, 0)
    }
}
