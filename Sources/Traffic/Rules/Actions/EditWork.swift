/// The work that is left for one kind of edit of one message, shared by all edits of all rules, so that together they keep a thread for a known time.
struct EditWork {
    /// Bytes of JSON that may be read: about a quarter of a second's work.
    static let limitBytes = 64 << 20
    /// The same for a whole body, whose edit holds up no event loop where it is long: about a second's.
    static let bodyLimitBytes = 256 << 20
    /// The same for one whose edit holds an event loop up until it is done apart: some ten milliseconds' work.
    static let quickLimitBytes = 4 << 20
    /// Bytes of JSON that are read in the time of one step of a regular expression.
    static let bytesPerStep = 26

    private var bytes: Int
    /// Whether somebody waits for what comes of it still.
    let isWanted: () -> Bool

    init(_ bytes: Int = EditWork.limitBytes, isWanted: @escaping () -> Bool = { true }) {
        (self.bytes, self.isWanted) = (bytes, isWanted)
    }

    /// Steps of a regular expression that may still be followed.
    var steps: Int { bytes / EditWork.bytesPerStep }

    /// Whether there is work left for so many bytes of JSON.
    func has(_ count: Int) -> Bool { bytes >= count }

    /// Takes what it costs to read so many bytes of JSON; `false` where there is not so much work left, or nobody waits for it.
    mutating func read(_ count: Int) -> Bool {
        bytes = isWanted() ? max(-1, bytes - count) : -1
        return bytes >= 0
    }

    /// Takes what it costs to look at so many values: some bytes each, and more where names may have to be decoded; `false` as above.
    mutating func look(at count: Int, of spans: JSONSpans) -> Bool { read(EditWork.look(at: count, of: spans)) }

    /// Bytes of JSON that are read in the time in which so many values are looked at.
    static func look(at count: Int, of spans: JSONSpans) -> Int { count * (spans.decodesNames ? 32 : 4) }

    /// Takes what so many steps of a regular expression cost; `false` where there is not so much work left.
    mutating func follow(_ count: Int) -> Bool { read(min(count, EditWork.bodyLimitBytes) * EditWork.bytesPerStep) }
}
