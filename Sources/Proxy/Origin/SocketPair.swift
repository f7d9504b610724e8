import NIOCore

/// Both ends of a connection of this machine with itself, from the client's side.
struct SocketPair: Hashable, Sendable {
    /// The client's own end.
    let client: SocketEnd
    /// Our listener's end.
    let listener: SocketEnd

    /// `nil` when the client is not on this machine: its address is neither loopback's nor the one it reached us by.
    init?(client: SocketAddress?, listener: SocketAddress?) {
        guard let client = client.flatMap(SocketEnd.init), let listener = listener.flatMap(SocketEnd.init),
            client.isLoopback || client.bytes == listener.bytes
        else { return nil }
        self.client = client
        self.listener = listener
    }
}
