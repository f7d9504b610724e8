import DequeModule
import NIOCore
import NIOHPACK
import NIOHTTP2
import Traffic

/// Turns the frames of one HTTP/2 stream into message parts and back, on either side of an exchange (RFC 9113 §8).
///
/// It holds the last written part until it is known whether that ends the stream, or until a flush.
///
/// It takes incoming bytes from the library at once, which would keep them in more memory and hand them on a window at a time. It hands them on
/// a burst for each read, and opens the window when all are handed on: so a stalled exchange holds one window of bytes, and at most one burst
/// goes where there is no room.
final class HTTP2StreamCodec: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = MessagePart
    typealias OutboundIn = WirePart
    typealias OutboundOut = HTTP2Frame.FramePayload

    private enum Reading {
        case head
        /// The body; so many bytes of its declared length are still to come.
        case body(left: Int64?)
        /// The stream ended, or its message was refused.
        case stopped
    }

    private enum Held {
        case fields(HPACKHeaders)
        case body(ByteBuffer)
    }

    /// Content in smaller pieces is joined until the next flush.
    private static let joinBytes = 16 << 10
    /// Bytes of content that are handed on for each read, rounded up to the end of a frame.
    private static let burstBytes = 64 << 10

    private let role: HTTP1Codec.Role
    private let limits: HeadLimits
    private let splitter: FrameSplitter
    /// The stream whose window is held.
    private var heldStreamID: Int?
    /// The stream whose content is counted as it leaves.
    private var countedStreamID: Int?
    /// Frames that came and were not asked for yet: with `joined`, at most a window of content.
    private var waiting = Deque<HTTP2Frame.FramePayload>()
    /// Content that waits behind all else, in one buffer of its own until that is a burst.
    private var joined = ByteBuffer()
    /// Bytes of content that are still handed on for the last read.
    private var wantedBytes = HTTP2StreamCodec.burstBytes
    private var isHandingOn = false
    private var isReadWanted = false
    private var reading = Reading.head
    private var answering = ""
    private var held: Held?
    private var hasEnded = false
    private var hasWritten = false
    /// Whether this end has reset the stream; the frame waits, like any other, for room in the connection.
    private(set) var isReset = false
    private var context: ChannelHandlerContext?

    /// - Parameters:
    ///   - role: which messages it reads.
    ///   - limits: the limits of a head.
    ///   - splitter: the splitter of the stream's connection.
    init(role: HTTP1Codec.Role, limits: HeadLimits, splitter: FrameSplitter) {
        self.role = role
        self.limits = limits
        self.splitter = splitter
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        if let stream = heldStreamID.take() { splitter.forgetWindow(of: stream) }
        if let stream = countedStreamID.take() { splitter.forgetSent(on: stream) }
    }

    // MARK: As its users see it

    /// Prepares for the response to a request.
    func expectResponse(to request: RequestHead) { answering = request.method }

    /// The stream's identifier; `nil` before it has one.
    var streamID: Int? {
        (try? context?.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)).map { Int($0) }
    }

    /// Whether a part of a head came last on the stream's connection, and not the whole of it.
    var isWithinHead: Bool { streamID.map(splitter.isWithinFields) ?? false }

    /// Bytes of content that have left since this was first asked, without those that wait for the window; `nil` before there is a stream.
    var sentBytes: Int? {
        countedStreamID = countedStreamID ?? streamID
        return countedStreamID.map(splitter.sentBytes)
    }

    /// The code with which this end has reset the stream; `nil` where it has not.
    ///
    /// Where the library tells of a reset then, it made that by itself, in answer to a breach of the rules.
    func resetCode(of stream: HTTP2StreamID) -> HTTP2ErrorCode? {
        guard let last = splitter.lastReset, last.stream == Int(stream) else { return nil }
        return HTTP2ErrorCode(networkCode: last.code)
    }

    /// Whether its connection ends with all its streams over what the client sent before it saw a reset of ours.
    var endsForCrossedReset: Bool { splitter.endsForCrossedReset }

    /// Whether its connection ends with all its streams, and says that there was an error.
    var hasConnectionBrokenOff: Bool { splitter.hasBrokenOff }

    /// Ends the stream, with a code that says why (RFC 9113 §6.4).
    ///
    /// What was written is sent first, as far as the window allows: a reset drops what the library still holds.
    func reset(_ code: HTTP2ErrorCode) {
        reading = .stopped
        guard let context, context.channel.isActive, !isReset else { return }
        // A stream on which nothing was sent does not exist yet, and cannot be reset.
        guard role == .requests || hasWritten else {
            held = nil
            context.close(promise: nil)
            return
        }
        isReset = true
        flush(context: context)
        context.eventLoop.assumeIsolated().execute { [self] in
            guard let context = self.context, context.channel.isActive else { return }
            context.writeAndFlush(wrapOutboundOut(.rstStream(code)), promise: nil)
        }
    }

    // MARK: Inbound

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame {
        case .headers: break
        case .data(let content): if !content.endStream { holdWindow() }
        // The frame is no part of a message, and no window counts it.
        default: return
        }
        if !hasWaiting, wantedBytes > 0 { handOn(frame, context) } else { wait(frame, context) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        context.read()
    }

    func read(context: ChannelHandlerContext) {
        isReadWanted = true
        guard !isHandingOn else { return }
        isHandingOn = true
        while isReadWanted, hasWaiting {
            isReadWanted = false
            wantedBytes = Self.burstBytes
            while wantedBytes > 0, let frame = nextWaiting() { handOn(frame, context) }
            context.fireChannelReadComplete()
            // As a channel does after what it hands on.
            context.channel.pipeline.read()
        }
        isHandingOn = false
        guard isReadWanted else { return }
        isReadWanted = false
        wantedBytes = Self.burstBytes
        if let stream = heldStreamID.take() {
            if case .stopped = reading { splitter.forgetWindow(of: stream) } else { splitter.releaseWindow(of: stream) }
        }
        context.read()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        handOnAll(context)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        handOnAll(context)
        context.fireChannelInactive()
    }

    /// Keeps a frame until it is asked for.
    private func wait(_ frame: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
        guard case .data(let content) = frame, !content.endStream, case .byteBuffer(let bytes) = content.data else {
            endJoining()
            return waiting.append(frame)
        }
        if joined.readableBytes + bytes.readableBytes > Self.burstBytes { endJoining() }
        if joined.capacity == 0 { joined = context.channel.allocator.buffer(capacity: bytes.readableBytes) }
        joined.writeImmutableBuffer(bytes)
    }

    private func endJoining() {
        guard joined.readableBytes > 0 else { return }
        waiting.append(.data(.init(data: .byteBuffer(joined))))
        joined = ByteBuffer()
    }

    /// Takes the frame that has waited longest.
    private func nextWaiting() -> HTTP2Frame.FramePayload? {
        if waiting.isEmpty { endJoining() }
        return waiting.popFirst()
    }

    private var hasWaiting: Bool { !waiting.isEmpty || joined.readableBytes > 0 }

    private func holdWindow() {
        guard heldStreamID == nil, let stream = streamID else { return }
        heldStreamID = stream
        splitter.holdWindow(of: stream)
    }

    /// Hands on all that still waits, since no read may come any more.
    private func handOnAll(_ context: ChannelHandlerContext) {
        guard hasWaiting else { return }
        while let frame = nextWaiting() { handOn(frame, context) }
        context.fireChannelReadComplete()
    }

    private func handOn(_ frame: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
        do throws(MessageProblem) {
            switch frame {
            case .headers(let frame): try read(context, frame.headers, endsStream: frame.endStream)
            case .data(let frame):
                guard case .byteBuffer(let bytes) = frame.data else { return }
                wantedBytes -= bytes.readableBytes
                try read(context, bytes, endsStream: frame.endStream)
            default: break
            }
        } catch {
            reading = .stopped
            context.fireErrorCaught(MalformedMessage(problem: error, bytes: ByteBuffer()))
        }
    }

    private func read(_ context: ChannelHandlerContext, _ headers: HPACKHeaders, endsStream: Bool)
        throws(MessageProblem)
    {
        switch reading {
        case .stopped: return
        case .body(let left):
            guard endsStream else { throw MessageProblem("A second head came within a message.") }
            try checkEnd(left)
            reading = .stopped
            let trailers = try HTTP2HeadReader.trailers(headers, limits: limits)
            context.fireChannelRead(wrapInboundOut(.end(trailers)))
        case .head where role == .requests:
            let head = try HTTP2HeadReader.request(headers, endsStream: endsStream, limits: limits)
            reading = .body(left: Self.declared(head.framing))
            context.fireChannelRead(wrapInboundOut(.request(head)))
            if endsStream { end(context) }
        case .head:
            let head = try HTTP2HeadReader.response(headers, endsStream: endsStream, to: answering, limits: limits)
            if head.isInterim {
                guard !endsStream else { throw MessageProblem("An interim response ended the stream.") }
            } else {
                reading = .body(left: Self.declared(head.framing))
            }
            context.fireChannelRead(wrapInboundOut(.response(head)))
            if endsStream { end(context) }
        }
    }

    private func read(_ context: ChannelHandlerContext, _ bytes: ByteBuffer, endsStream: Bool) throws(MessageProblem) {
        switch reading {
        case .stopped: return
        case .head: throw MessageProblem("Content came before a head.")
        case .body(var left):
            if let declared = left {
                guard declared >= Int64(bytes.readableBytes) else {
                    throw MessageProblem("More content came than Content-Length says.", cause: .ambiguousFraming)
                }
                left = declared - Int64(bytes.readableBytes)
                reading = .body(left: left)
            }
            if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(bytes))) }
            guard endsStream else { return }
            try checkEnd(left)
            end(context)
        }
    }

    private func end(_ context: ChannelHandlerContext) {
        guard case .body = reading else { return }
        reading = .stopped
        context.fireChannelRead(wrapInboundOut(.end(nil)))
    }

    private func checkEnd(_ left: Int64?) throws(MessageProblem) {
        guard let left, left > 0 else { return }
        throw MessageProblem("The content is \(left) bytes shorter than Content-Length says.", cause: .truncated)
    }

    /// How many bytes a body must have; `nil` where the head does not say.
    private static func declared(_ framing: BodyFraming) -> Int64? {
        switch framing {
        case .none: 0
        case .length(let length): length
        case .chunked, .untilClose: nil
        }
    }

    // MARK: Outbound

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !hasEnded else {
            promise?.succeed()
            return
        }
        switch unwrapOutboundIn(data) {
        case .fields(let headers):
            release(context, endsStream: false)
            held = .fields(headers)
        case .body(let bytes):
            if case .body(var waiting) = held, waiting.readableBytes + bytes.readableBytes <= Self.joinBytes {
                waiting.writeImmutableBuffer(bytes)
                held = .body(waiting)
            } else {
                release(context, endsStream: false)
                held = .body(bytes)
            }
        case .end(let trailers):
            hasEnded = true
            if let trailers {
                release(context, endsStream: false)
                let headers = HTTP2Fields.trailers(trailers)
                context.write(wrapOutboundOut(.headers(.init(headers: headers, endStream: true))), promise: promise)
            } else if held == nil {
                context.write(
                    wrapOutboundOut(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true))),
                    promise: promise
                )
            } else {
                release(context, endsStream: true, promise)
            }
            return
        case .head: break
        }
        promise?.succeed()
    }

    /// Sends what was written, and calls back once the connection has taken that, which may wait for the window.
    ///
    /// It does not call back where nothing was written since the last flush, nor where the stream ends before.
    func flush(whenTaken then: @escaping () -> Void) {
        guard let context, held != nil else { return }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess(then)
        release(context, endsStream: false, promise)
        context.flush()
    }

    func flush(context: ChannelHandlerContext) {
        release(context, endsStream: false)
        context.flush()
    }

    private func release(_ context: ChannelHandlerContext, endsStream: Bool, _ promise: EventLoopPromise<Void>? = nil) {
        guard let part = held.take() else { return }
        hasWritten = true
        switch part {
        case .fields(let headers):
            context.write(wrapOutboundOut(.headers(.init(headers: headers, endStream: endsStream))), promise: promise)
        case .body(let bytes):
            context.write(
                wrapOutboundOut(.data(.init(data: .byteBuffer(bytes), endStream: endsStream))),
                promise: promise
            )
        }
    }
}
