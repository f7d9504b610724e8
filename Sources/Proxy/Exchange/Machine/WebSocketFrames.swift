/// What the frames of a WebSocket that came so far say of its end.
struct WebSocketFrames: Equatable {
    /// Whether the client has sent a close frame.
    var isRequestClosed = false
    /// Whether the upstream has sent a close frame.
    var isResponseClosed = false
    /// Whether bytes came that are no WebSocket, so that nothing more is known of how it ends.
    var isUnread = false

    /// Whether a side has sent a close frame, so that the WebSocket is about to end.
    var isClosing: Bool { isRequestClosed || isResponseClosed }
}
