import NIOCore
import Traffic

/// Reads the bytes of one side of an exchange's stream for the record, as one of three kinds.
///
/// What may decompress to much more is read in pieces, between which it may have to wait for another turn of the loop: it goes on with the next
/// bytes, or as its exchange is next looked at. What is held until then is counted, and what has come of a message.
///
/// A class, because most exchanges have none and every exchange would carry its room.
final class StreamReader {
    var webSocket: WebSocketMessageReader?
    var events: EventStreamReader?
    var grpc: GRPCReader?
    /// The content codings of an event stream or a gRPC body that are to be undone.
    var codings: [String] = []
    let allowance: DecompressionAllowance
    /// Payload bytes that were kept of this side.
    var keptBytes: Int64 = 0
    /// Messages for which there was no room.
    var lostCount = 0
    /// Undoes the codings, from the first byte on.
    private var decoder: ContentDecoder?
    private let room: StreamRoom
    /// Bytes that wait for another turn of the loop, and when the last of them came.
    private var waiting = ByteBuffer()
    private var waitingSince: Int64 = 0
    /// What knows how far that goes, where it is a WebSocket's.
    private var ahead: WebSocketCloseReader?
    /// Whether the side is read no further, because there was no room for what waits.
    private var isGivenUp = false
    /// What was wrong with the bytes, one sentence each; `takeWarnings` takes them.
    private var warnings: [String] = []
    /// Whether the decoder's problem was told.
    private var hasWarned = false

    init(_ loop: LoopAllowance, _ client: ClientHoldings) {
        allowance = DecompressionAllowance(loop)
        room = StreamRoom(loop.budget, client)
    }

    /// Whether bytes wait to be read on.
    var isWaiting: Bool { waiting.readableBytes > 0 }

    /// Whether the side decompresses to too much, and is read no further.
    var isCut: Bool { decoder?.isCut == true }

    /// The close code of the side's close frame, also where that waits; `nil` where none came.
    var closeCode: Int? { webSocket?.closeCode ?? ahead?.closeCode }

    /// Whether a WebSocket is between two frames.
    var isBetweenFrames: Bool { !isWaiting && webSocket?.isBetweenFrames == true }

    /// Whether a part of a WebSocket's message came last, also where that waits; false where that is not known.
    var isWithinMessage: Bool { (ahead?.isWithinMessage ?? webSocket?.isWithinMessage) == true }

    /// Whether nothing more is read: it is not what it was said to be, or was given up.
    private var isStopped: Bool { isGivenUp || webSocket?.isStopped == true || grpc?.isStopped == true }

    /// Takes the warnings since the last call.
    func takeWarnings() -> [String] {
        defer { warnings = [] }
        return warnings
    }

    // MARK: Reading

    /// Reads what waits, and the next bytes, as far as the turn allows.
    ///
    /// - Parameters:
    ///   - bytes: any number of them.
    ///   - time: when they came.
    ///   - isLast: whether nothing comes behind them.
    ///   - give: takes the messages that are complete.
    func read(_ bytes: ByteBuffer, time: Int64, isLast: Bool = false, _ give: (StreamMessage) -> Void) {
        guard !isStopped else { return }
        allowance.take(bytes.readableBytes)
        var rest = bytes
        if isWaiting {
            rest = waiting
            waiting = ByteBuffer()
            rest.writeImmutableBuffer(bytes)
        }
        if isLast { allowance.takeLast(rest.readableBytes) }
        while rest.readableBytes > 0, decoder?.isStopped != true, !isStopped {
            let hasWaited = rest.readableBytes > bytes.readableBytes
            let count = nextCount(of: rest.readableBytes, hasWaited: hasWaited, isLast: isLast)
            guard count > 0, let piece = rest.readSlice(length: count) else {
                if bytes.readableBytes > 0 { waitingSince = time }
                waiting = rest.own
                break
            }
            take(piece, time: rest.readableBytes < bytes.readableBytes ? time : waitingSince, give)
        }
        lookAhead(bytes)
        settle()
        tellProblem()
    }

    /// How many bytes to read now: all that are there, where nothing is decompressed.
    ///
    /// Of a coded stream a few bytes may hold any number of messages, and so may all that has waited of any.
    private func nextCount(of count: Int, hasWaited: Bool, isLast: Bool) -> Int {
        let tells = hasWaited || !codings.isEmpty
        return mayInflate ? allowance.beginPiece(of: count, isLast: isLast, tells: tells) : count
    }

    /// Follows what has come to wait, or what came to that.
    private func lookAhead(_ bytes: ByteBuffer) {
        if !isWaiting {
            ahead = nil
        } else if ahead != nil {
            ahead?.read(bytes)
        } else {
            ahead = webSocket?.ahead
            ahead?.read(waiting)
        }
    }

    /// Whether what comes may be decompressed.
    private var mayInflate: Bool { !codings.isEmpty || webSocket?.mayInflate == true || grpc?.mayInflate == true }

    private func take(_ piece: ByteBuffer, time: Int64, _ give: (StreamMessage) -> Void) {
        if webSocket != nil {
            webSocket?.read(piece, time: time, give)
        } else if codings.isEmpty {
            piece.withUnsafeReadableBytes { read($0, time, give) }
        } else {
            let allowance = allowance
            let decoder = decoder ?? ContentDecoder(names: codings, limitBytes: .max) { allowance.make($0) }
            self.decoder = decoder
            piece.withUnsafeReadableBytes { coded in decoder.write(coded) { read($0, time, give) } }
        }
    }

    private func read(_ bytes: UnsafeRawBufferPointer, _ time: Int64, _ give: (StreamMessage) -> Void) {
        events?.read(bytes, time: time, give)
        grpc?.read(bytes, time: time, give)
    }

    /// Ends the decoding of a side that holds far more messages than came, from within; false where nothing is decoded.
    func stopDecoding() -> Bool {
        guard let decoder else { return false }
        if !decoder.isStopped { decoder.stop("It decodes to far more messages than came; the rest is left out.") }
        return true
    }

    /// Ends the side, since nothing more comes, and gives what is left of a message.
    func finish(time: Int64, _ give: (StreamMessage) -> Void) {
        if isWaiting {
            warnings.append(
                "The last \(waiting.readableBytes) bytes of a side's messages were not read: what came with them decodes to too much at one go."
            )
            waiting = ByteBuffer()
        }
        webSocket?.finish(time: time, give)
        grpc?.finish(time: time, give)
        warnings += (webSocket?.warnings ?? []) + (grpc?.warnings ?? [])
    }

    // MARK: Memory

    private var messageBytes: Int {
        (webSocket?.messageBytes ?? 0) + (events?.messageBytes ?? 0) + (grpc?.messageBytes ?? 0)
    }

    /// Bytes that are held beside the message.
    private var otherBytes: Int {
        (webSocket?.decoderBytes ?? 0) + (grpc?.decoderBytes ?? 0) + (decoder?.heldBytes ?? 0) + waiting.storageCapacity
    }

    /// Counts the bytes that are held until more comes, and frees those without room.
    ///
    /// The message is cut first, which is measured all the same; then what decodes goes.
    private func settle() {
        guard !room.hold(messageBytes + otherBytes) else { return }
        let left = max(0, room.heldBytes - otherBytes)
        webSocket?.cutMessage(to: left)
        events?.cutMessage(to: left)
        grpc?.cutMessage(to: left)
        guard !room.hold(messageBytes + otherBytes) else { return }
        if isWaiting {
            giveUp()
        } else {
            decoder?.giveUp(StreamRoom.decoderProblem)
            webSocket?.letGoOfDecoder(StreamRoom.decoderProblem)
            grpc?.letGoOfDecoder(StreamRoom.decoderProblem)
        }
        _ = room.hold(messageBytes + otherBytes)
    }

    /// Reads no further: the bytes that wait have to be freed, and those behind them mean nothing alone.
    private func giveUp() {
        isGivenUp = true
        waiting = ByteBuffer()
        ahead = nil
        decoder = nil
        webSocket?.stop()
        grpc?.stop()
        warnings.append("The messages of a side are no longer read. \(StreamRoom.decoderProblem)")
    }

    private func tellProblem() {
        guard !hasWarned, let problem = decoder?.problem else { return }
        hasWarned = true
        warnings.append("The messages of this stream cannot be read any further (\(problem)).")
    }
}
