import NIOCore

/// What a look at an exchange measures, beside the times at which things happened to it.
struct ExchangeLook {
    /// The upstream, where there is one.
    struct Upstream {
        /// Whether it may have sent all content and never say that this was all.
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
    /// `nil` before it is there.
    var upstream: Upstream?
    /// Whether the request's body is a stream of messages.
    var isRequestStream = false
    /// Whether the response's body is a stream of messages.
    var isResponseStream = false
}
