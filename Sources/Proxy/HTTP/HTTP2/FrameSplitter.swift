import NIOCore

/// The handler below the HTTP/2 library that splits frames which are larger than the other end takes.
///
/// The library makes one frame of a field section, whatever its length, and ends the connection over one that is larger than the other end's
/// SETTINGS_MAX_FRAME_SIZE. So it is told that every frame is taken, and what is really taken is kept here: past that, HEADERS leave as HEADERS
/// and CONTINUATION with nothing between them (RFC 9113 §6.2, §6.10), and DATA as several frames. What fits passes as it is.
///
/// Incoming bytes pass in pieces: while the library needs a part of a buffer it keeps the whole buffer, and allocates as much again for the next
/// bytes, even for a single one.
///
/// The library opens a stream's window again as soon as it has handed on what came, even where the receiver cannot pass that on. So a second window
/// would wait behind the first. A stream can be held here: its window then stays as it is until it is released.
///
/// The library uses the wrong code for HEADERS after the end of a client's stream; this handler corrects it (`ClientStreams`).
final class FrameSplitter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Bytes of the longest field section, as text, that surely fits into the one frame that the library makes of it at first.
    ///
    /// Huffman coding can make a byte into 30 bits (RFC 7541 Appendix B), and the largest frame has 16 MiB.
    static let fieldsLimitBytes = 4 << 20

    /// What everyone takes, and the least that may be said (RFC 9113 §6.5.2).
    private static let leastBytes = 16 << 10
    /// The most that may be said.
    private static let mostBytes = 1 << 24 - 1
    /// Bytes that are passed in at once, to the end of a frame: what is left of a read takes as much memory as a whole piece.
    private static let pieceBytes = 32 << 10
    private static let prefaceBytes = 24
    private static let endHeaders: UInt8 = 4
    private static let endStream: UInt8 = 1

    /// Bytes of a frame's payload that the other end takes.
    private var limitBytes = leastBytes

    /// Bytes of the frame that is coming, or of the preface, that are still to pass.
    private var inboundLeft: Int
    /// Bytes that are held back: less than a frame's header, or than a whole SETTINGS frame.
    private var held = ByteBuffer()
    /// Whether the library still has to be told that every frame is taken.
    private var owesSettings = true
    /// Whether the library's acknowledgement of that is still to come; it is dropped.
    private var swallowsAcknowledgement = false

    /// Whether the library is told at once that its settings are acknowledged; the upstream's own acknowledgement is dropped then.
    ///
    /// At a late acknowledgement the library would give an open stream twice the window. It accepts what the settings allow even before the upstream
    /// knows of them.
    private let acknowledgesForUpstream: Bool
    private var awaitsAcknowledgement: Bool

    /// Whether the connection takes no further streams.
    ///
    /// Behind the last one the library takes any frame for a breach, and the client does not know yet that there is none: so frames pass one by one.
    var isGoingAway = false
    /// Whether what comes is thrown away, since the connection is over but for what was written; asked between frames while `isGoingAway`.
    var ignoresInput = false

    /// How many reads brought bytes.
    private(set) var readCount = 0
    /// How many RST_STREAM frames came.
    private(set) var resetCount = 0
    /// The stream and the code of the RST_STREAM frame that was written last.
    private(set) var lastReset: (stream: Int, code: Int)?
    /// The client's streams; `nil` on a connection to an upstream.
    private var clientStreams: ClientStreams?
    /// Whether the library ended the connection over what crossed our reset of its stream, which is no fault of the client's.
    private(set) var endsForCrossedReset = false
    /// Whether the library has ended the connection with an error, and with it all streams.
    private(set) var hasBrokenOff = false

    /// The header of the frame that came last, where it is of a field section.
    private var section: HTTP2FrameHeader?

    /// Bytes of DATA that have left on each stream since that was first asked of it.
    private var sent: [UInt32: Int] = [:]

    /// Bytes of the preface, or of the payload of the frame whose header was written last, that are still to be written.
    private var outboundLeft: Int
    /// The header of DATA that is to be cut, whose payload is written next.
    private var cutting: HTTP2FrameHeader?

    private let joined: JoinedWrites

    private var windows = HeldWindows()
    private var context: ChannelHandlerContext?

    /// - Parameters:
    ///   - isClient: whether the library plays the client's part on this connection.
    ///   - joined: the handler below, which takes what is written.
    init(isClient: Bool, joined: JoinedWrites) {
        self.joined = joined
        inboundLeft = isClient ? 0 : Self.prefaceBytes
        outboundLeft = isClient ? Self.prefaceBytes : 0
        acknowledgesForUpstream = isClient
        awaitsAcknowledgement = isClient
        clientStreams = isClient ? nil : ClientStreams()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    // MARK: Windows

    /// Lets the other end send no more on a stream than it may already.
    func holdWindow(of stream: Int) { windows.hold(UInt32(truncatingIfNeeded: stream)) }

    /// Opens the window of a stream that was held, by as much as the library would have opened it meanwhile.
    func releaseWindow(of stream: Int) {
        let stream = UInt32(truncatingIfNeeded: stream)
        guard let increment = windows.release(stream), let context else { return }
        var frame = context.channel.allocator.buffer(capacity: HTTP2FrameHeader.byteCount + 4)
        HTTP2FrameHeader(length: 4, type: HTTP2FrameHeader.windowUpdate, flags: 0, stream: stream).write(to: &frame)
        frame.writeInteger(increment)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    /// Forgets the window of a stream that is over.
    func forgetWindow(of stream: Int) { _ = windows.release(UInt32(truncatingIfNeeded: stream)) }

    // MARK: Progress

    /// Whether a part of a stream's field section came last, and not the whole of it.
    func isWithinFields(of stream: Int) -> Bool {
        guard let section, Int(section.streamID) == stream else { return false }
        return !section.endsFields || inboundLeft > 0
    }

    /// Bytes of content that have left on a stream since this was first asked of it.
    func sentBytes(on stream: Int) -> Int {
        let stream = UInt32(truncatingIfNeeded: stream)
        if sent[stream] == nil { sent[stream] = 0 }
        return sent[stream] ?? 0
    }

    /// Counts nothing more on a stream that is over.
    func forgetSent(on stream: Int) { sent[UInt32(truncatingIfNeeded: stream)] = nil }

    // MARK: Inbound

    /// Tells the library that every frame is taken, before it has been told anything; on a connection to an upstream, where it would not wait
    /// for its settings.
    func begin(_ context: ChannelHandlerContext) {
        owesSettings = false
        swallowsAcknowledgement = true
        var settings = context.channel.allocator.buffer(capacity: HTTP2FrameHeader.byteCount + 6)
        HTTP2FrameHeader(length: 6, type: HTTP2FrameHeader.settings, flags: 0, stream: 0).write(to: &settings)
        settings.writeMultipleIntegers(Self.frameSizeSetting, UInt32(Self.mostBytes))
        if acknowledgesForUpstream {
            HTTP2FrameHeader(length: 0, type: HTTP2FrameHeader.settings, flags: 1, stream: 0).write(to: &settings)
        }
        context.fireChannelRead(wrapInboundOut(settings))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !ignoresInput else { return }
        readCount &+= 1
        var bytes = unwrapInboundIn(data)
        if held.readableBytes > 0 {
            held.writeBuffer(&bytes)
            bytes = held
            held = ByteBuffer()
        }
        var position = bytes.readerIndex
        while true {
            let passing = min(inboundLeft, bytes.writerIndex - position)
            position += passing
            inboundLeft -= passing
            guard inboundLeft == 0 else { break }
            if owesSettings {
                // After the preface.
                pass(&bytes, to: position, context)
                begin(context)
            }
            guard let frame = HTTP2FrameHeader(bytes, at: position) else { break }
            if awaitsAcknowledgement, frame.isAcknowledgement {
                awaitsAcknowledgement = false
                pass(&bytes, to: position, context)
                position += HTTP2FrameHeader.byteCount
                bytes.moveReaderIndex(to: position)
                continue
            }
            if isGoingAway {
                pass(&bytes, to: position, context)
                guard !ignoresInput else { return }
            }
            if frame.type == HTTP2FrameHeader.resetStream { resetCount += 1 }
            section = frame.isOfFields ? frame : nil
            if clientStreams?.isApart(frame) == true { pass(&bytes, to: position, context) }
            clientStreams?.take(frame)
            let end = position + HTTP2FrameHeader.byteCount + frame.length
            if min(end, bytes.writerIndex) - bytes.readerIndex > Self.pieceBytes { pass(&bytes, to: position, context) }
            if frame.isSettings, frame.length <= Self.leastBytes {
                guard end <= bytes.writerIndex else { break }
                takeSettings(&bytes, from: position + HTTP2FrameHeader.byteCount, to: end)
            }
            inboundLeft = end - position
        }
        if position == bytes.writerIndex {
            if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
        } else {
            pass(&bytes, to: position, context)
            held = context.channel.allocator.buffer(capacity: bytes.readableBytes)
            held.writeBuffer(&bytes)
        }
    }

    /// Passes what stands before a position.
    private func pass(_ bytes: inout ByteBuffer, to position: Int, _ context: ChannelHandlerContext) {
        guard let before = bytes.readSlice(length: position - bytes.readerIndex), before.readableBytes > 0 else {
            return
        }
        context.fireChannelRead(wrapInboundOut(before))
    }

    private static let frameSizeSetting: UInt16 = 5

    /// Keeps the frame size of the settings in a range, and puts the largest in its place; a wrong one is left to the library to refuse.
    private func takeSettings(_ bytes: inout ByteBuffer, from start: Int, to end: Int) {
        for position in stride(from: start, through: end - 6, by: 6) {
            guard bytes.getInteger(at: position, as: UInt16.self) == Self.frameSizeSetting,
                let value = bytes.getInteger(at: position + 2, as: UInt32.self),
                (Self.leastBytes...Self.mostBytes).contains(Int(value))
            else { continue }
            limitBytes = Int(value)
            bytes.setInteger(UInt32(Self.mostBytes), at: position + 2)
        }
    }

    // MARK: Outbound

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        write(bytes, context, promise)
        // Only behind a whole frame: the flush may show that more can be written, which the library does at once.
        if outboundLeft == 0, cutting == nil { joined.flushBurst() }
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        if let header = cutting.take() { return cut(bytes, header, context, promise) }
        // The library writes a frame at once, but for the payload of DATA and GOAWAY, which follows its header.
        guard outboundLeft == 0, let header = HTTP2FrameHeader(bytes, at: bytes.readerIndex) else {
            outboundLeft = max(0, outboundLeft - bytes.readableBytes)
            context.write(wrapOutboundOut(bytes), promise: promise)
            return
        }
        if header.type == HTTP2FrameHeader.data, !sent.isEmpty { sent[header.stream]? += header.length }
        if header.length > limitBytes {
            switch header.type {
            case HTTP2FrameHeader.data:
                cutting = header
                promise?.succeed()
                return
            case HTTP2FrameHeader.headers:
                var payload = bytes
                payload.moveReaderIndex(forwardBy: HTTP2FrameHeader.byteCount)
                return cut(payload, header, context, promise)
            default: break
            }
        }
        if header.type == HTTP2FrameHeader.windowUpdate, header.stream != 0,
            let increment = bytes.getInteger(at: bytes.readerIndex + HTTP2FrameHeader.byteCount, as: UInt32.self),
            windows.keep(increment, of: header.stream)
        {
            promise?.succeed()
            return
        }
        if swallowsAcknowledgement, header.type == HTTP2FrameHeader.settings, header.flags & 1 == 1 {
            swallowsAcknowledgement = false
            promise?.succeed()
            return
        }
        outboundLeft = max(0, header.length - (bytes.readableBytes - HTTP2FrameHeader.byteCount))
        let hasCode = header.type == HTTP2FrameHeader.resetStream || header.type == HTTP2FrameHeader.goAway
        context.write(wrapOutboundOut(hasCode ? withRightCode(bytes, header) : bytes), promise: promise)
    }

    private static let (noError, protocolError): (UInt32, UInt32) = (0, 1)
    private static let (internalError, streamClosed): (UInt32, UInt32) = (2, 5)

    /// The RST_STREAM or GOAWAY frame, with another code than PROTOCOL_ERROR where it answers HEADERS behind the end of a stream.
    ///
    /// Over a flood the library says that it has processed no stream. The client may send such requests again (RFC 9113 §6.8), which may have gone
    /// upstream; so the number of the last stream that was begun is put in the place of 0.
    private func withRightCode(_ frame: ByteBuffer, _ header: HTTP2FrameHeader) -> ByteBuffer {
        let isReset = header.type == HTTP2FrameHeader.resetStream
        // GOAWAY has the number of a stream before the code.
        let position = frame.readerIndex + HTTP2FrameHeader.byteCount + (isReset ? 0 : 4)
        guard let said = frame.getInteger(at: position, as: UInt32.self) else { return frame }
        let right = isReset ? rightCode(ofReset: header, said) : rightCodeOfGoAway(said)
        var bytes = frame
        if right != said { bytes.setInteger(right, at: position) }
        if isReset {
            lastReset = (Int(header.streamID), Int(right))
        } else if right != Self.noError {
            hasBrokenOff = true
            if let last = clientStreams?.last, frame.getInteger(at: position - 4, as: UInt32.self) == 0 {
                bytes.setInteger(last, at: position - 4)
            }
        }
        return bytes
    }

    private func rightCode(ofReset header: HTTP2FrameHeader, _ said: UInt32) -> UInt32 {
        let isLate = clientStreams?.reset(header) == true
        return isLate && said == Self.protocolError ? Self.streamClosed : said
    }

    private func rightCodeOfGoAway(_ said: UInt32) -> UInt32 {
        guard said == Self.protocolError else { return said }
        switch clientStreams?.fault {
        case .streamClosed: return Self.streamClosed
        case .crossedReset:
            endsForCrossedReset = true
            return Self.internalError
        case .protocolError, nil: return said
        }
    }

    /// Writes a payload in as many frames as it needs.
    private func cut(
        _ payload: ByteBuffer,
        _ header: HTTP2FrameHeader,
        _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>?
    ) {
        let isFields = header.type == HTTP2FrameHeader.headers
        // What ends the section or the stream is said where it ends: END_HEADERS on the last frame, END_STREAM on the last of DATA, but on
        // the first of a field section, since CONTINUATION has no such flag.
        let last = header.flags & (isFields ? Self.endHeaders : Self.endStream)
        var rest = payload
        var piece = header
        piece.flags &= ~last
        repeat {
            let slice = rest.readSlice(length: min(limitBytes, rest.readableBytes)) ?? ByteBuffer()
            if rest.readableBytes == 0 { piece.flags |= last }
            piece.length = slice.readableBytes
            var head = context.channel.allocator.buffer(capacity: HTTP2FrameHeader.byteCount)
            piece.write(to: &head)
            context.write(wrapOutboundOut(head), promise: nil)
            context.write(wrapOutboundOut(slice), promise: rest.readableBytes == 0 ? promise : nil)
            if isFields {
                piece.type = HTTP2FrameHeader.continuation
                piece.flags = 0
            }
        } while rest.readableBytes > 0
    }
}
