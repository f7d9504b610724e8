import NIOCore
import Traffic

/// Joins the frames of one direction of a WebSocket into messages for the record, and decompresses them where that was agreed on.
///
/// Bytes that are no WebSocket end the reading and leave a sentence in `warning`; relaying does not depend on it.
struct WebSocketMessageReader {
    /// A message or control frame that is not complete.
    fileprivate struct Partial {
        var opcode: WebSocketOpcode
        var wireBytes: Int64 = 0
        var isCompressed = false
        /// Whether its payload is decompressed as it comes.
        var isInflated = false
        /// Whether decompressing it failed, so that the rest of it is only counted.
        var isGivenUp = false
        var payload: KeptPayload
        var problem: String?
    }

    /// What was wrong with the bytes, one sentence each.
    private(set) var warnings: [String] = []
    /// The close code of the first close frame, 1005 where it had none (RFC 6455 §7.1.5); `nil` before one came.
    private(set) var closeCode: Int?

    private let side: MessageSide
    private let limits: MessageLimits
    private var frames = WebSocketFrameReader()
    private var inflater: MessageInflater?
    private let keepsContext: Bool
    /// Whether frames may be marked as compressed.
    private let isCompressionAgreed: Bool
    /// Whether compressed payloads are recorded as sent, and why.
    private var undecoded: String?
    private let allowance: DecompressionAllowance
    private var header: WebSocketFrameReader.Header?
    private var message: Partial?
    private var control: Partial?
    /// Whether the bytes are read no further.
    private(set) var isStopped = false
    private var hasWarnedOfMask = false

    /// - Parameters:
    ///   - side: the sender of these messages.
    ///   - compression: what both ends agreed on.
    ///   - limits: how much is kept.
    ///   - allowance: how much may be decompressed of them.
    init(
        side: MessageSide,
        compression: WebSocketCompression,
        limits: MessageLimits,
        allowance: DecompressionAllowance = DecompressionAllowance()
    ) {
        self.side = side
        self.limits = limits
        self.allowance = allowance
        keepsContext = compression.keepsContext(side)
        isCompressionAgreed = compression.isAgreed
        undecoded = compression.unknown.map { "The extension \($0) is not known here, so payloads are as sent." }
        if let undecoded { warnings.append(undecoded) }
    }

    /// Reads the next bytes and gives the messages that they complete.
    mutating func read(_ bytes: ByteBuffer, time: Int64, _ give: (StreamMessage) -> Void) {
        guard !isStopped else { return }
        var rest = bytes
        do throws(StreamProblem) {
            while true {
                switch try frames.next(&rest) {
                case .more: return
                case .header(let header): try begin(header)
                case .payload(let piece): take(piece)
                case .end: end(time, give)
                }
            }
        } catch {
            stop()
            warnings.append(
                "\(who) sent something that is no WebSocket: \(error.text). It was passed on; its messages are no longer read."
            )
        }
    }

    /// Reads no further.
    mutating func stop() {
        isStopped = true
        message = nil
        control = nil
        inflater = nil
    }

    /// Whether another frame may begin behind what was read.
    var isBetweenFrames: Bool { !isStopped && frames.isBetweenFrames }

    /// Whether a part of a message or of a frame came last, before any close frame.
    var isWithinMessage: Bool { !isStopped && closeCode == nil && (message != nil || !frames.isBetweenFrames) }

    /// Follows the bytes that are to be read next.
    var ahead: WebSocketCloseReader {
        WebSocketCloseReader(
            frames,
            header: header,
            payload: control?.payload,
            hasBegunMessage: message != nil,
            isOver: isStopped || closeCode != nil
        )
    }

    /// Ends the reading, since no more bytes come, and gives what has come of a message.
    mutating func finish(time: Int64, _ give: (StreamMessage) -> Void) {
        guard !isStopped else { return }
        isStopped = true
        for partial in [control, message].compactMap({ $0 }) {
            var partial = partial
            partial.problem = "The stream ended within this message."
            give(partial.told(by: side, at: time))
        }
    }

    // MARK: Frames

    private var who: String { side == .request ? "The client" : "The upstream" }

    private mutating func begin(_ header: WebSocketFrameReader.Header) throws(StreamProblem) {
        if header.isMasked != (side == .request), !hasWarnedOfMask {
            hasWarnedOfMask = true
            warnings.append(
                side == .request
                    ? "The client sent WebSocket frames without a mask." : "The upstream sent masked WebSocket frames."
            )
        }
        if header.opcode.isControl {
            guard !header.isCompressed || undecoded != nil else {
                throw StreamProblem("a control frame is marked as compressed")
            }
            control = Partial(opcode: header.opcode, payload: KeptPayload(limitBytes: limits.keptBytes))
        } else if header.opcode == .continuation {
            guard message != nil else { throw StreamProblem("a continuation frame continues nothing") }
            guard !header.isCompressed || undecoded != nil else {
                throw StreamProblem("a continuation frame is marked as compressed")
            }
        } else {
            guard message == nil else { throw StreamProblem("a message begins within another") }
            guard !header.isCompressed || isCompressionAgreed || undecoded != nil else {
                throw StreamProblem("a frame is marked as compressed, which was not agreed on")
            }
            if header.isCompressed, undecoded == nil { makeInflater() }
            message = Partial(
                opcode: header.opcode,
                isCompressed: header.isCompressed,
                isInflated: header.isCompressed && inflater != nil,
                payload: KeptPayload(limitBytes: limits.keptBytes),
                problem: header.isCompressed ? undecoded : nil
            )
        }
        self.header = header
    }

    private mutating func take(_ piece: ByteBuffer) {
        guard header?.opcode.isControl == false else {
            control?.wireBytes += Int64(piece.readableBytes)
            control?.payload.take(piece)
            return
        }
        guard var message else { return }
        self.message = nil
        message.wireBytes += Int64(piece.readableBytes)
        if message.isInflated {
            piece.withUnsafeReadableBytes { inflate($0, into: &message) }
        } else {
            message.payload.take(piece)
        }
        self.message = message
    }

    private mutating func end(_ time: Int64, _ give: (StreamMessage) -> Void) {
        guard let header else { return }
        self.header = nil
        if header.opcode.isControl {
            guard let control else { return }
            self.control = nil
            let told = control.told(by: side, at: time)
            if header.opcode == .close, closeCode == nil { closeCode = told.status ?? 1005 }
            give(told)
        } else if header.isFinal, var message {
            self.message = nil
            if message.isInflated { inflate(nil, into: &message) }
            give(message.told(by: side, at: time))
        }
    }

    // MARK: Decompression

    /// Makes the decompressor at the first compressed message, since many sides agree on compression and never use it.
    private mutating func makeInflater() {
        guard inflater == nil else { return }
        inflater = MessageInflater(keepsContext: keepsContext)
        if inflater == nil { letGoOfDecoder("There is no memory to decode it.") }
    }

    /// Whether messages may be decompressed.
    var mayInflate: Bool { isCompressionAgreed && undecoded == nil }

    /// Bytes of memory that the incomplete message holds.
    var messageBytes: Int { message?.payload.heldBytes ?? 0 }

    /// Bytes of memory that the decompressor holds.
    var decoderBytes: Int { inflater == nil ? 0 : MessageInflater.heldBytes }

    /// Keeps no more of the message than fits into so much memory; the rest is measured.
    mutating func cutMessage(to limitBytes: Int) { message?.payload.cut(to: limitBytes) }

    /// Frees the decompressor; messages are recorded as sent from here on, and `sentence` says why.
    mutating func letGoOfDecoder(_ sentence: String) {
        guard undecoded == nil else { return }
        inflater = nil
        undecoded = "\(sentence) So it is as sent."
        if message?.isInflated == true {
            message?.isGivenUp = true
            message?.problem = "It could not be decompressed whole; what came before is kept. \(sentence)"
        }
        warnings.append(
            "Compressed messages of \(side == .request ? "the client" : "the upstream") are as sent. \(sentence)"
        )
    }

    /// Decompresses the next bytes of a message, or with `nil` its end.
    private mutating func inflate(_ bytes: UnsafeRawBufferPointer?, into message: inout Partial) {
        guard let inflater, !message.isGivenUp else { return }
        let allowance = allowance
        let limitBytes = Int64(limits.decodedBytes)
        func give(_ made: UnsafeRawBufferPointer) -> Bool {
            message.payload.take(made)
            return allowance.make(made.count) && message.payload.size <= limitBytes
        }
        let problem: String? = if let bytes { inflater.write(bytes, give) } else { inflater.endMessage(give) }
        guard let problem else { return }
        self.inflater = nil
        message.isGivenUp = true
        message.problem = "It could not be decompressed whole (\(problem)); what came before is kept."
        undecoded = "An earlier message could not be decompressed, so this one is as sent."
        warnings.append(
            "A compressed message of \(side == .request ? "the client" : "the upstream") could not be read (\(problem)); "
                + "its later compressed messages are recorded as sent."
        )
    }
}

extension WebSocketMessageReader.Partial {
    /// The message for the record.
    fileprivate func told(by side: MessageSide, at time: Int64) -> StreamMessage {
        var told = StreamMessage(
            side: side,
            time: time,
            kind: .webSocket,
            opcode: opcode.rawValue,
            wireBytes: wireBytes,
            size: payload.size,
            payload: payload.bytes
        )
        told.isCompressed = isCompressed
        told.problem = problem ?? (payload.isCut ? StreamRoom.messageProblem : nil)
        if opcode == .close { told.status = payload.closeCode }
        return told
    }
}
