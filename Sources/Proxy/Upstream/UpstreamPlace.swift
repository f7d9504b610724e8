import NIOCore
import Traffic

/// Where an upstream connection leads, as far as that can be told once it is there.
struct UpstreamPlace: Sendable {
    /// Who is at the other end of it.
    var address: SocketAddress?
    /// What an upstream proxy there was asked to connect to; `nil` without one.
    var target: Endpoint?

    /// Whether it may end where a client of another machine may not go by itself.
    ///
    /// Of a name that a proxy on this machine has looked up nobody knows where it led.
    func isNear(_ listeners: OwnListeners) -> Bool {
        guard let target else { return address.map { listeners.isNear([$0]) } ?? true }
        if let asked = try? SocketAddress(ipAddress: target.host, port: target.port) {
            return listeners.isNear([asked])
        }
        return address.map { listeners.isOnThisMachine([$0]) } ?? true
    }
}
