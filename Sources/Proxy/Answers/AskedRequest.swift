import NIOCore
import Traffic

/// A whole request that is to be answered without an upstream.
package struct AskedRequest: Sendable {
    /// Bytes of a body that are kept for its answer.
    package static let bodyLimitBytes = 16 << 20

    /// Case kept.
    package var method: String
    package var scheme: Scheme
    /// Where the client says that it goes: the authority of its URL or tunnel, or its Host field.
    package var endpoint: Endpoint
    /// Whether it was sent to us as to its server, and not through us as a proxy: then the Host field may be our own name.
    package var isAddressedHere: Bool
    /// The target in origin-form, byte for byte.
    package var target: String
    /// The field lines as they came.
    package var fields: HeaderList
    /// The content, without its framing, at most `bodyLimitBytes` of it.
    package var body: ByteBuffer
    /// Whether `body` is all of it.
    package var isBodyWhole: Bool
    /// Whether it asks to become a WebSocket.
    package var asksForWebSocket: Bool
    /// Whether a program of this machine asks.
    package var isFromThisMachine: Bool
}
