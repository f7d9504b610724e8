import NIOCore
import Traffic

/// Where an upstream connection leads, as far as that is known once it is open.
struct UpstreamPlace: Sendable {
    /// The address of the other end.
    var address: SocketAddress?
    /// The endpoint that the upstream proxy was asked for; `nil` without a proxy.
    var target: Endpoint?

    /// Whether it may lead where a client of another machine may not go.
    ///
    /// It may, where a proxy on this machine has resolved the name, since its address is unknown then.
    func isNear(_ listeners: OwnListeners) -> Bool {
        guard let target else { return address.map { listeners.isNear([$0]) } ?? true }
        if let asked = try? SocketAddress(ipAddress: target.host, port: target.port) {
            return listeners.isNear([asked])
        }
        return address.map { listeners.isOnThisMachine([$0]) } ?? true
    }
}
