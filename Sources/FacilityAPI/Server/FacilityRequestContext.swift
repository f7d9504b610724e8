import Hummingbird
import NIOCore

/// What Hummingbird hands along with a request: besides its own, who is asking.
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

    /// Takes nothing more from the connection, for good.
    func stopReading() async throws { try await channel.setOption(.autoRead, value: false).get() }
}

extension Request {
    /// Whether it asks for another protocol, which nothing here speaks: it is answered as if it had not asked (RFC 9110 §7.8), as the last one of its
    /// connection.
    ///
    /// Behind such a request the decoder reads no HTTP any more. It would keep whatever comes, without a limit, and answer none of it.
    var asksForOtherProtocol: Bool { method == .connect || headers[.upgrade] != nil }
}
