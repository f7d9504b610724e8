import NIOCore
import Traffic

/// Reads the length-prefixed messages of one side of a gRPC call out of its bytes, however they are split (gRPC over HTTP/2, "Requests").
///
/// gRPC-Web's trailers, which come as a message with the highest bit of its flags set, become a message with the call's status. What is
/// kept of a compressed message is decompressed, within bounds.
struct GRPCReader {
    private static let prefixBytes = 5

    private enum State {
        case prefix
        /// Within a message: its flags, and how many bytes are missing.
        case message(flags: UInt8, left: UInt32)
        /// The bytes are not gRPC's.
        case stopped
    }

    /// What was wrong with the bytes, one sentence each.
    private(set) var warnings: [String] = []

    private let side: MessageSide
    private let coding: String?
    private let limits: MessageLimits
    private var state = State.prefix
    private var begun = ByteBuffer()
    private var payload: KeptPayload
    private var decoder: ContentDecoder?
    private let allowance: DecompressionAllowance
    private var wireBytes: Int64 = 0
    /// Whether the message is compressed and not decoded, because earlier messages decoded to too much.
    private var isLeftOut = false

    /// - Parameters:
    ///   - side: the sender of these messages.
    ///   - coding: the value of `grpc-encoding`; `nil` where there is none.
    ///   - limits: how much is kept.
    ///   - allowance: how much may be decompressed of this side's messages.
    init(
        side: MessageSide,
        coding: String?,
        limits: MessageLimits,
        allowance: DecompressionAllowance = DecompressionAllowance()
    ) {
        self.allowance = allowance
        self.side = side
        self.coding = coding
        self.limits = limits
        payload = KeptPayload(limitBytes: limits.keptBytes)
    }

    /// Reads the next bytes and gives the messages that they complete.
    mutating func read(_ bytes: UnsafeRawBufferPointer, time: Int64, _ give: (StreamMessage) -> Void) {
        var rest = bytes
        while true {
            switch state {
            case .stopped: return
            case .prefix:
                let part = rest.prefix(Self.prefixBytes - begun.readableBytes)
                begun.writeBytes(part)
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
                guard begun.readableBytes == Self.prefixBytes, let flags = begun.readInteger(as: UInt8.self),
                    let length = begun.readInteger(as: UInt32.self)
                else { return }
                begun.clear()
                begin(flags, length)
            case .message(let flags, 0):
                end(flags, time, give)
            case .message(let flags, let left):
                guard !rest.isEmpty else { return }
                let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(left)))
                take(part)
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
                state = .message(flags: flags, left: left - UInt32(part.count))
            }
        }
    }

    /// Ends the reading, since no more bytes come, and gives what has come of a message.
    mutating func finish(time: Int64, _ give: (StreamMessage) -> Void) {
        if case .message(let flags, _) = state {
            var message = told(flags, time)
            message.problem = "The stream ended within this message."
            give(message)
        } else if case .prefix = state, begun.readableBytes > 0 {
            warnings.append("A side of the gRPC call ended within the prefix of a message.")
        }
        state = .stopped
    }

    /// Whether the bytes are read no further.
    var isStopped: Bool { if case .stopped = state { true } else { false } }

    // MARK: Memory

    /// Whether messages may be decompressed.
    var mayInflate: Bool { coding.map { $0 != "identity" } ?? false }

    /// Bytes of memory that the incomplete message holds.
    var messageBytes: Int { payload.heldBytes }

    /// Bytes of memory that the decoder holds.
    var decoderBytes: Int { decoder?.heldBytes ?? 0 }

    /// Keeps no more of the message than fits into so much memory; the rest is measured.
    mutating func cutMessage(to limitBytes: Int) { payload.cut(to: limitBytes) }

    /// Frees the decoder; `sentence` says why.
    mutating func letGoOfDecoder(_ sentence: String) { decoder?.giveUp(sentence) }

    /// Reads no further.
    mutating func stop() {
        decoder = nil
        payload = KeptPayload(limitBytes: limits.keptBytes)
        state = .stopped
    }

    // MARK: Messages

    private mutating func begin(_ flags: UInt8, _ length: UInt32) {
        guard flags & ~(StreamMessage.grpcTrailers | 1) == 0 else {
            warnings.append(
                "\(side == .request ? "The client" : "The upstream") sent something that is no gRPC: a message has the flags \(flags). "
                    + "It was passed on; its messages are no longer read."
            )
            stop()
            return
        }
        payload = KeptPayload(limitBytes: limits.keptBytes)
        decoder = nil
        isLeftOut = false
        if flags & 1 == 1, let coding, coding != "identity" {
            isLeftOut = allowance.isSpent
            if !isLeftOut {
                let allowance = allowance
                decoder = ContentDecoder(names: [coding], limitBytes: limits.decodedBytes) { allowance.make($0) }
            }
        }
        wireBytes = Int64(Self.prefixBytes)
        state = .message(flags: flags, left: length)
    }

    private mutating func take(_ part: UnsafeRawBufferPointer) {
        wireBytes += Int64(part.count)
        guard let decoder else {
            payload.take(part)
            return
        }
        decoder.write(part) { payload.take($0) }
    }

    private mutating func end(_ flags: UInt8, _ time: Int64, _ give: (StreamMessage) -> Void) {
        decoder?.finish { payload.take($0) }
        give(told(flags, time))
        decoder = nil
        payload = KeptPayload(limitBytes: limits.keptBytes)
        state = .prefix
    }

    private func told(_ flags: UInt8, _ time: Int64) -> StreamMessage {
        var message = StreamMessage(
            side: side,
            time: time,
            kind: .grpc,
            opcode: flags,
            wireBytes: wireBytes,
            size: payload.size,
            payload: payload.bytes
        )
        message.isCompressed = flags & 1 == 1
        if isLeftOut {
            message.problem = "What was decompressed before it is far more than came, so this one is as sent."
        } else if flags & 1 == 1, decoder == nil {
            message.problem = "It is compressed in a way that was not named."
        } else {
            message.problem = decoder?.problem
        }
        if payload.isCut { message.problem = message.problem ?? StreamRoom.messageProblem }
        if flags & StreamMessage.grpcTrailers != 0 {
            message.status = HeaderList(trailers: payload.bytes).first("grpc-status").flatMap(Int.init)
        }
        return message
    }
}
