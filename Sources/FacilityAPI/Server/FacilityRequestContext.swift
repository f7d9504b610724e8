package import Hummingbird
import NIOCore

/// The context of a request: Hummingbird's own, and the client's address.
package struct FacilityRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The client's address without its port.
    let remoteAddress: String
    private let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        remoteAddress = source.channel.remoteAddress?.ipAddress ?? "local"
    }

    /// Stops reading from the connection for good.
    func stopReading() async throws { try await channel.setOption(.autoRead, value: false).get() }
}

extension Request {
    /// Whether the request asks for another protocol.
    ///
    /// No other is spoken here, so the request is answered as if it had not asked (RFC 9110 §7.8), and as the last of its
    /// connection.
    ///
    /// After such a request the decoder reads no HTTP any more. It would keep all further bytes, without a limit, and answer none of them.
    var asksForOtherProtocol: Bool { method == .connect || headers[.upgrade] != nil }
}
