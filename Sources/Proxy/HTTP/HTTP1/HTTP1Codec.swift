import NIOCore
import Traffic

#if canImport(Glibc)
import Glibc
#endif

/// Turns the bytes of an HTTP/1 connection into message parts and back, on either side of an exchange.
///
/// Inbound it emits `MessagePart`; bytes that it refuses become an error of type `MalformedMessage`, after which it reads nothing. Outbound it
/// takes `WirePart` and joins small writes until the next flush, so that a short message is one write and one TLS record.
/// After a request it holds the next one back until `resume()`: exchanges of a connection follow one another (RFC 9112 §9.3.2).
final class HTTP1Codec: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = MessagePart
    typealias OutboundIn = WirePart
    typealias OutboundOut = ByteBuffer

    /// Which messages come in.
    enum Role {
        /// Requests: the other end is a client.
        case requests
        /// Responses: the other end is an upstream.
        case responses
    }

    private enum Reading {
        case head
        case body(HTTP1BodyFramer)
        /// A message is whole, and the next may not begin yet.
        case waiting
        /// Refused or taken over: nothing is read.
        case stopped
    }

    /// Writes shorter than this are joined with what follows.
    private static let joinBytes = 16 << 10

    private let role: Role
    private let limits: HeadLimits
    private var reading: Reading
    private var buffered = ByteBuffer()
    /// Bytes of `buffered` that are known to hold no end of a head.
    private var scanned = 0
    /// The method that the next final response answers; `responses` only.
    private var answering = ""
    private var maySwitch = false
    private var writing = BodyFraming.none
    private var unwritten: ByteBuffer?
    private var context: ChannelHandlerContext?
    private var isParsing = false
    private var mayBeHTTP2: Bool
    /// Whether the other end has sent its last byte.
    private var isInputEnded = false
    private var isOutputClosed = false
    /// Whether a write has failed because the other end had sent its last byte before it broke the connection.
    private var isEndFoundByWrite = false
    /// Whether more is to be written after the request's head, which may find the connection broken.
    private var maySendMore = false
    /// Whether the channel was asked for more, beside what it hands on as a flush fails.
    ///
    /// It was not, where the receiver has no room; then the bytes that had come are lost with the connection.
    private var isReadAsked = false
    private var isFlushing = false

    /// - Parameters:
    ///   - role: which messages come in.
    ///   - limits: the limits of their heads.
    ///   - mayBeHTTP2: whether the first bytes may be the preface of HTTP/2, which the codec tells with an `HTTP2Preface` event.
    init(role: Role, limits: HeadLimits, mayBeHTTP2: Bool = false) {
        self.mayBeHTTP2 = mayBeHTTP2
        self.role = role
        self.limits = limits
        reading = role == .requests ? .head : .waiting
    }

    /// Bytes that wait for their turn: what a pipelining client sent ahead.
    var bufferedBytes: Int { buffered.readableBytes }

    /// Whether a part of a head has come, and not the whole of it.
    var isWithinHead: Bool { if case .head = reading { buffered.readableBytes > 0 } else { false } }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Prepares for the response to a request of this method; with `maySwitch` it may be a 101, behind which everything is content.
    func expectResponse(to method: String, maySwitch: Bool = false) {
        answering = method
        self.maySwitch = maySwitch
        reading = .head
    }

    /// Lets the next request begin, with the bytes that have come already.
    func resume() {
        guard case .waiting = reading, let context else { return }
        reading = .head
        scanned = 0
        parse(context)
        if isInputEnded { endOfInput(context) }
        context.fireChannelReadComplete()
    }

    /// Reads everything from here on as content, with the bytes that have come already: the protocol was switched, or messages are over.
    func becomeRaw() {
        guard let context else { return }
        reading = .body(HTTP1BodyFramer(.untilClose, limits: limits))
        parse(context)
        if isInputEnded { endOfInput(context) }
        context.fireChannelReadComplete()
    }

    /// Stops reading.
    ///
    /// - Returns: the bytes that had come and were not read, those behind a CONNECT.
    func takeOver() -> ByteBuffer {
        reading = .stopped
        defer { buffered = ByteBuffer() }
        return buffered
    }

    // MARK: Inbound

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isFlushing { isReadAsked = false }
        var incoming = unwrapInboundIn(data)
        if buffered.readableBytes == 0 {
            buffered = incoming
        } else {
            buffered.writeBuffer(&incoming)
        }
        parse(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(ChannelEvent.inputClosed) = event as? ChannelEvent { endOfInput(context) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        // Where a write finds the connection broken, nothing else tells so. The end of the input is told here only where our output had ended, or
        // where the write's error says that it came.
        let isEnd = isInputEnded || isOutputClosed || isEndFoundByWrite
        if role == .responses, !isEnd, isReadingToClose { reading = .stopped }
        endOfInput(context)
        context.fireChannelInactive()
    }

    private var isReadingToClose: Bool { if case .body(let framer) = reading { framer.endsAtClose } else { false } }

    private func endOfInput(_ context: ChannelHandlerContext) {
        isInputEnded = true
        switch reading {
        case .body(let framer) where framer.endsAtClose:
            reading = .waiting
            context.fireChannelRead(wrapInboundOut(.end(nil)))
        case .head where buffered.readableBytes > 0:
            refuse(context, MessageProblem("The connection was closed within a head.", cause: .unfinished))
        default: break
        }
    }

    private func parse(_ context: ChannelHandlerContext) {
        guard !isParsing else { return }
        isParsing = true
        defer { isParsing = false }
        do throws(MessageProblem) {
            while try step(context) {}
            // An idle connection keeps no memory of its last read.
            if buffered.readableBytes == 0 { buffered = ByteBuffer() }
        } catch {
            refuse(context, error)
        }
    }

    private func refuse(_ context: ChannelHandlerContext, _ problem: MessageProblem) {
        reading = .stopped
        let bytes = buffered
        buffered = ByteBuffer()
        context.fireErrorCaught(MalformedMessage(problem: problem, bytes: bytes))
    }

    /// Reads one thing; false when there is nothing more to read now.
    private func step(_ context: ChannelHandlerContext) throws(MessageProblem) -> Bool {
        switch reading {
        case .stopped:
            buffered = ByteBuffer()
            return false
        case .waiting:
            if role == .responses, buffered.readableBytes > 0 {
                throw MessageProblem("Bytes came that answer no request.", cause: .extraBytes)
            }
            return false
        case .head:
            return try readHead(context)
        case .body(var framer):
            let step = try framer.next(&buffered)
            reading = .body(framer)
            switch step {
            case .more: return false
            case .body(let bytes): context.fireChannelRead(wrapInboundOut(.body(bytes)))
            case .end(let trailers): finish(context, trailers: trailers)
            }
            return true
        }
    }

    private func readHead(_ context: ChannelHandlerContext) throws(MessageProblem) -> Bool {
        if role == .requests, scanned <= 1 { skipEmptyLine() }
        let end: Int? = buffered.withUnsafeReadableBytes { HTTP1HeadParser.endOfHead($0, from: scanned) }
        guard let end else {
            scanned = buffered.readableBytes
            try checkSize(buffered.readableBytes)
            try checkBeginning()
            return false
        }
        try checkSize(end)
        if mayBeHTTP2 {
            mayBeHTTP2 = false
            guard !isPreface else {
                reading = .waiting
                context.fireUserInboundEventTriggered(HTTP2Preface())
                return false
            }
        }
        // An exchange keeps its heads for as long as it lasts, but not the whole read that a head came in.
        guard let raw = buffered.getSlice(at: buffered.readerIndex, length: end)?.own else { return false }
        switch role {
        case .requests:
            let head = try HTTP1HeadParser.request(raw, limits: limits)
            begin(head.framing, after: end)
            context.fireChannelRead(wrapInboundOut(.request(head)))
            if head.framing == .none { finish(context, trailers: nil) }
        case .responses:
            var head = try HTTP1HeadParser.response(raw, to: answering, limits: limits)
            if maySwitch, head.opensWebSocket { head = head.switched }
            begin(head.framing, after: end)
            if head.isInterim {
                reading = .head
                context.fireChannelRead(wrapInboundOut(.response(head)))
                return true
            }
            context.fireChannelRead(wrapInboundOut(.response(head)))
            if head.framing == .none { finish(context, trailers: nil) }
        }
        return true
    }

    private func begin(_ framing: BodyFraming, after end: Int) {
        buffered.moveReaderIndex(forwardBy: end)
        scanned = 0
        reading = .body(HTTP1BodyFramer(framing, limits: limits))
    }

    private func finish(_ context: ChannelHandlerContext, trailers: ByteBuffer?) {
        guard case .body = reading else { return }
        reading = .waiting
        if role == .responses, buffered.readableBytes > 0 {
            context.fireUserInboundEventTriggered(ExtraBytes(count: buffered.readableBytes))
            buffered = ByteBuffer()
        }
        context.fireChannelRead(wrapInboundOut(.end(trailers)))
    }

    /// Whether the bytes begin with the preface of an HTTP/2 client (RFC 9113 §3.4).
    private var isPreface: Bool { buffered.readableBytesView.starts(with: "PRI * HTTP/2.0\r\n\r\n".utf8) }

    /// Skips empty lines before a request, as servers ought to (RFC 9112 §2.2).
    private func skipEmptyLine() {
        while buffered.readableBytes >= 2, buffered.getInteger(at: buffered.readerIndex, as: UInt16.self) == 0x0D0A {
            buffered.moveReaderIndex(forwardBy: 2)
            scanned = 0
        }
    }

    /// Checks the size of a head of which `count` bytes have come.
    private func checkSize(_ count: Int) throws(MessageProblem) {
        guard count > limits.startLineBytes + 1 else { return }
        if role == .requests, !buffered.readableBytesView.prefix(limits.startLineBytes + 2).contains(ASCII.lineFeed) {
            throw MessageProblem(
                "The start line is longer than \(limits.startLineBytes) bytes.",
                code: 414,
                cause: .tooLong
            )
        }
        guard count <= limits.headBytes else {
            throw MessageProblem("The head is longer than \(limits.headBytes) bytes.", code: 431, cause: .tooLong)
        }
    }

    /// Checks that the bytes begin like a response: nothing is waited for from a peer of another protocol.
    private func checkBeginning() throws(MessageProblem) {
        guard role == .responses, !"HTTP/".utf8.starts(with: buffered.readableBytesView.prefix(5)) else { return }
        throw MessageProblem("The version is not HTTP/1.0 or HTTP/1.1.")
    }

    // MARK: Outbound

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .output { isOutputClosed = true }
        context.close(mode: mode, promise: promise)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let bytes, let framing):
            writing = framing
            maySendMore = framing != .none || maySwitch
            append(context, bytes)
        case .fields: break
        case .body(let bytes):
            if writing == .chunked {
                append(context, ByteBuffer(string: String(bytes.readableBytes, radix: 16) + "\r\n"))
                append(context, bytes)
                append(context, ByteBuffer(staticString: "\r\n"))
            } else {
                append(context, bytes)
            }
        case .end(let trailers):
            if writing == .chunked {
                append(context, ByteBuffer(staticString: "0\r\n"))
                append(context, trailers ?? ByteBuffer(staticString: "\r\n"))
            }
            writing = .none
        }
        promise?.succeed()
    }

    func read(context: ChannelHandlerContext) {
        isReadAsked = true
        context.read()
    }

    func flush(context: ChannelHandlerContext) {
        writeOut(context)
        // The flush may make room for more, which is flushed too.
        let wasFlushing = isFlushing
        isFlushing = true
        context.flush()
        isFlushing = wasFlushing
    }

    private func append(_ context: ChannelHandlerContext, _ bytes: ByteBuffer) {
        guard bytes.readableBytes > 0 else { return }
        if unwritten == nil {
            unwritten = bytes
        } else if bytes.readableBytes >= Self.joinBytes {
            writeOut(context)
            unwritten = bytes
        } else {
            unwritten?.writeImmutableBuffer(bytes)
        }
        if let waiting = unwritten?.readableBytes, waiting >= Self.joinBytes { writeOut(context) }
    }

    private func writeOut(_ context: ChannelHandlerContext) {
        guard let bytes = unwritten else { return }
        unwritten = nil
        guard role == .responses, maySendMore else { return context.write(wrapOutboundOut(bytes), promise: nil) }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenFailure { [self] error in noteFailure(error) }
        context.write(wrapOutboundOut(bytes), promise: promise)
    }

    /// Notes why a write failed.
    ///
    /// By then the channel has handed on what had come, if it was asked for that, and is about to become inactive.
    ///
    /// On Linux a socket that was reset says EPIPE where the FIN had come before, and ECONNRESET where it had not (`tcp_reset`). An answer that
    /// ends with its connection is whole only in the first case. Other systems say EPIPE in both.
    private func noteFailure(_ error: any Error) {
        #if os(Linux)
        if let error = error as? IOError, error.errnoCode == EPIPE, isReadAsked { isEndFoundByWrite = true }
        #endif
    }
}
