import NIOCore

/// What a look at an exchange measures, beside its `ExchangeMarks`.
struct ExchangeLook {
    /// What a look measures of an upstream.
    struct Upstream {
        /// Whether it may send all content and never say that this was all.
        var mayLeaveEndUnsaid: Bool
        /// Whether more of the request may be written.
        var isWritable: Bool
    }

    /// The time.
    let now: NIODeadline
    /// Whether the record has no room, so that nothing is read.
    var isRecordFull = false
    /// Whether there is room for more of the response at the client's end.
    var takesResponse = true
    /// Since when the client takes nothing of what is written; `nil` while there is room for more.
    var unreadSince: NIODeadline?
    /// The upstream; `nil` where there is none, or none yet.
    var upstream: Upstream?
    /// Whether the request's body is a stream of messages.
    var isRequestStream = false
    /// Whether the response's body is a stream of messages.
    var isResponseStream = false
}
