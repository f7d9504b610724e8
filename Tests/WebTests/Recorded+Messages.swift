import NIOCore
import Store
import Traffic

extension Recorded {
    /// A message of a WebSocket connection.
    static func message(_ payload: [UInt8], opcode: UInt8 = 1, _ side: MessageSide = .request) -> StreamMessage {
        StreamMessage(
            side: side,
            time: Recorded.start + 1_000,
            kind: .webSocket,
            opcode: opcode,
            wireBytes: Int64(payload.count),
            size: Int64(payload.count),
            payload: ByteBuffer(bytes: payload)
        )
    }

    /// A WebSocket connection that is open.
    static var webSocket: Exchange {
        var exchange = Recorded.exchange(code: 101, scheme: .wss, fields: [("Upgrade", "websocket")])
        exchange.version = .webSocket
        exchange.outcome = .pending
        exchange.timeline.duration = nil
        return exchange
    }
}

extension TrafficStore {
    /// Writes events and waits for their commit.
    func submit(_ events: [ExchangeEvent]) async throws {
        let receipt = await withCheckedContinuation { continuation in
            submit(CaptureBatch(events: events) { continuation.resume(returning: $0) })
        }
        guard receipt.isRecorded else { throw NotRecorded() }
    }
}
