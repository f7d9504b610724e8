extension Exchange {
    /// Whether the store can hold messages of it; a pending exchange always can, because its counts lag behind a little.
    package var mayHaveMessages: Bool { messages.total > 0 || outcome == .pending }

    /// Whether its bodies are the frames of a WebSocket, which are kept as messages only.
    package var isWebSocket: Bool { version == .webSocket }
}
