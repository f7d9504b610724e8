package import NIOCore
package import Traffic

/// A whole request that is to be answered without an upstream.
package struct AskedRequest: Sendable {
    /// Bytes of the content that are kept for the answer.
    package static let bodyLimitBytes = 16 << 20

    /// The method, case kept.
    package var method: String
    package var scheme: Scheme
    /// Where the request goes, as the client says: the authority of its URL or tunnel, or its Host field.
    package var endpoint: Endpoint
    /// Whether the client sent it to us as its server and not as its proxy; then the Host field may be our own name.
    package var isAddressedHere: Bool
    /// The target in origin-form, byte for byte.
    package var target: String
    /// The field lines as they came.
    package var fields: HeaderList
    /// The content, without its framing, at most `bodyLimitBytes` of it.
    package var body: ByteBuffer
    /// Whether `body` is the whole content.
    package var isBodyWhole: Bool
    /// Whether it asks for a WebSocket.
    package var asksForWebSocket: Bool
    /// Whether its client is a program of this machine.
    package var isFromThisMachine: Bool
}
