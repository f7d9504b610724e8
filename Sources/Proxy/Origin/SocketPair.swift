import NIOCore

/// Both ends of a connection of this machine with itself, from the client's side.
struct SocketPair: Hashable, Sendable {
    /// The client's own end.
    let client: SocketEnd
    /// Our listener's end.
    let listener: SocketEnd

    /// Makes a pair; `nil` where the client is on another machine: its address is neither loopback's nor the one that it connected to.
    init?(client: SocketAddress?, listener: SocketAddress?) {
        guard let client = client.flatMap(SocketEnd.init), let listener = listener.flatMap(SocketEnd.init),
            client.isLoopback || client.bytes == listener.bytes
        else { return nil }
        self.client = client
        self.listener = listener
    }
}
