/// What a WebSocket frame carries (RFC 6455 §5.2).
package enum WebSocketOpcode: UInt8, Hashable, Sendable, CaseIterable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    /// Whether it may stand between the fragments of a message (RFC 6455 §5.5).
    package var isControl: Bool { rawValue >= 8 }

    /// Its name in the RFC.
    package var label: String {
        switch self {
        case .continuation: "continuation"
        case .text: "text"
        case .binary: "binary"
        case .close: "close"
        case .ping: "ping"
        case .pong: "pong"
        }
    }
}
