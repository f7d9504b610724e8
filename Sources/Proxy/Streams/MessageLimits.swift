/// The bounds within which the messages of a stream are read for the record; relaying has no such bounds.
struct MessageLimits: Sendable {
    /// Bytes of each message's payload that are kept.
    ///
    /// Default 1 MiB.
    var keptBytes = 1 << 20
    /// Bytes that one message may decompress to; past it, the compressed messages of that direction are no longer decoded.
    ///
    /// Default 16 MiB.
    var decodedBytes = 16 << 20
    /// Bytes of an event's type and of its ID that are kept.
    ///
    /// Default 1 KiB.
    var nameBytes = 1 << 10
}
