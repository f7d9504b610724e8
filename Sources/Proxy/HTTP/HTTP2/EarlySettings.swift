import NIOCore

/// The handler before a client's HTTP/2 that lets our settings apply as soon as the client's own have come.
///
/// The library takes 16 KiB of a field section until a client acknowledges the settings that allow more, and ends the connection past that.
/// Clients send their first request before they can have read those settings (RFC 9113 §3.4), so a request with large cookies would end it.
/// Our settings only widen what is allowed without them, so this handler gives the library an acknowledgement at once, and withholds the
/// client's own from it.
final class EarlySettings: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum State {
        /// Holds the preface and the first frame until both are whole; they are few bytes.
        case preface
        /// Looks for the client's acknowledgement, behind so many bytes of the current frame.
        case frames(left: Int)
        /// Everything passes.
        case done
    }

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let prefaceBytes = preface.count
    private static let headerBytes = HTTP2FrameHeader.byteCount
    /// The largest frame that a client may send, since we allow no more than the default (RFC 9113 §4.2).
    private static let frameBytes = 16 << 10
    private static let acknowledgement: [UInt8] = [0, 0, 0, HTTP2FrameHeader.settings, 1, 0, 0, 0, 0]

    private var state = State.preface
    /// Bytes that are held back: the preface with the first frame, or less than a frame's header.
    private var held = ByteBuffer()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .done = state { return context.fireChannelRead(data) }
        var bytes = unwrapInboundIn(data)
        if held.readableBytes > 0 {
            held.writeBuffer(&bytes)
            bytes = held
            held = ByteBuffer()
        }
        if case .preface = state, !acknowledge(&bytes, context) { return }
        if case .frames(let left) = state { pass(&bytes, left: left, context) }
        if case .done = state, bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        state = .done
        if held.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(held)) }
        held = ByteBuffer()
        context.fireChannelInactive()
    }

    /// Passes the preface and the client's settings with an acknowledgement behind them; false while they are not whole.
    private func acknowledge(_ bytes: inout ByteBuffer, _ context: ChannelHandlerContext) -> Bool {
        let start = bytes.readerIndex + Self.prefaceBytes
        guard bytes.readableBytes >= Self.prefaceBytes + Self.headerBytes,
            let frame = HTTP2FrameHeader(bytes, at: start)
        else {
            // The library refuses a wrong preface.
            let isPreface = zip(bytes.readableBytesView, Self.preface).allSatisfy { $0 == $1 }
            if isPreface { held = bytes } else { state = .done }
            return !isPreface
        }
        guard frame.isSettings, frame.length <= Self.frameBytes else {
            state = .done
            return true
        }
        guard var opening = bytes.readSlice(length: Self.prefaceBytes + Self.headerBytes + frame.length) else {
            held = bytes
            return false
        }
        opening.writeBytes(Self.acknowledgement)
        state = .frames(left: 0)
        context.fireChannelRead(wrapInboundOut(opening))
        return true
    }

    /// Passes frames up to the client's acknowledgement, which is taken out.
    private func pass(_ bytes: inout ByteBuffer, left: Int, _ context: ChannelHandlerContext) {
        var position = bytes.readerIndex + min(left, bytes.readableBytes)
        var left = left - (position - bytes.readerIndex)
        while left == 0, let frame = HTTP2FrameHeader(bytes, at: position) {
            if frame.type == HTTP2FrameHeader.settings, frame.flags & 1 == 1, frame.length == 0 {
                if let before = bytes.readSlice(length: position - bytes.readerIndex), before.readableBytes > 0 {
                    context.fireChannelRead(wrapInboundOut(before))
                }
                bytes.moveReaderIndex(forwardBy: Self.headerBytes)
                state = .done
                return
            }
            let whole = Self.headerBytes + frame.length
            let came = min(whole, bytes.writerIndex - position)
            position += came
            left = whole - came
        }
        state = .frames(left: left)
        if let complete = bytes.readSlice(length: position - bytes.readerIndex), complete.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(complete))
        }
        held = bytes
    }
}
