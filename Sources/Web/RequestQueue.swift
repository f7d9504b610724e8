import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Traffic

/// Passes the requests of a connection on one at a time, and ends the connection behind its last answer.
///
/// A request that comes early waits here for the answer to the one before it, and nothing more is read meanwhile. Where an asker is watched,
/// Hummingbird would take the early request for a sign of life and never answer it. Bytes that are no HTTP wait as well: they would be taken for a
/// leave.
///
/// A request is the last one where it or its answer says `Connection: close` (RFC 9112 §9.6). A request for another protocol, a CONNECT or one with
/// an `Upgrade` field, is the last one too: it is answered as if it had asked for none (RFC 9110 §7.8), and a client that only offers another
/// protocol, as Java's does, opens a new connection. The decoder reads no HTTP behind such a request and would keep every byte that comes, without a
/// limit. So nothing is read behind the last request.
final class RequestQueue: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// A piece of what comes from the client.
    private enum Arrival {
        case part(HTTPRequestPart)
        case failure(any Error)
        /// The client has closed its own side.
        case end

        var isHead: Bool {
            if case .part(.head) = self { true } else { false }
        }
    }

    /// The arrivals that were not passed on yet: as much as one reading brings, and what the system held of a client that has closed its own side.
    private var waiting = CircularBuffer<Arrival>()
    /// How many arrivals may wait: more than one reading brings.
    ///
    /// One reading has 256 KiB at most, and a chunk needs six bytes, a request of two parts eighteen. Of a client that has closed its own side the
    /// system may hold megabytes.
    private static let waitingLimitCount = 65_536
    /// How many requests may wait: each gets an answer, though its client may be long gone.
    private static let waitingRequestLimitCount = 16_384
    private var waitingRequestCount = 0
    /// Whether more arrived than may wait.
    ///
    /// A client sends again what is not answered when the connection ends (RFC 9112 §9.3.2).
    private var isFull = false
    /// Whether the latest part that was taken belongs to a request that has not come to its end.
    private var isWithin = false
    /// Whether a read was asked for that was not passed on.
    private var owesRead = false
    /// Whether the latest request that was passed on has come to its end.
    private var isRead = true
    /// Whether that request's answer has been written to its end.
    private var isAnswered = true
    /// Whether that request is the last one.
    private var isLast = false
    /// Whether that request asks for another protocol.
    private var asksForOther = false
    /// Completed once all of the latest answer is with the system, or never will be.
    private var answer: EventLoopFuture<Void>?

    /// Whether the last request has come to its end.
    private var isOver: Bool { isLast && isRead }

    // MARK: from the client

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { take(.part(unwrapInboundIn(data)), context) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { take(.failure(error), context) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed: take(.end, context)
        case is ChannelShouldQuiesceEvent:
            // A request that waits would begin and get no answer any more.
            isLast = true
            context.fireUserInboundEventTriggered(event)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func read(context: ChannelHandlerContext) {
        if waiting.isEmpty, !isOver { context.read() } else { owesRead = true }
    }

    private func take(_ arrival: Arrival, _ context: ChannelHandlerContext) {
        guard !isFull else { return }
        let mayWait = !arrival.isHead || waitingRequestCount < Self.waitingRequestLimitCount
        if mayWait, waiting.count < Self.waitingLimitCount {
            waiting.append(arrival)
            if arrival.isHead { waitingRequestCount += 1 }
            if case .part(let part) = arrival { isWithin = !part.isEnd }
        } else {
            isFull = true
            // Without a failure, the first part of a body would be taken for all of it.
            if isWithin { waiting.append(.failure(ChannelError.eof)) }
            waiting.append(.end)
        }
        passOn(context)
    }

    /// Passes on what has its turn.
    ///
    /// Behind an unanswered request that is only the end of the client's side, and only where no other request waits before it.
    private func passOn(_ context: ChannelHandlerContext) {
        while let next = waiting.first {
            if isRead, !isAnswered, !isLast {
                guard case .end = next else { return }
            }
            waiting.removeFirst()
            if next.isHead { waitingRequestCount -= 1 }
            pass(next, context)
        }
    }

    /// Passes an arrival on; behind the last request only the end of the client's side.
    private func pass(_ arrival: Arrival, _ context: ChannelHandlerContext) {
        switch (arrival, isOver) {
        case (.end, _): context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        case (_, true): break
        case (.failure(let error), false): context.fireErrorCaught(error)
        case (.part(let part), false): pass(part, context)
        }
    }

    private func pass(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        var part = part
        switch part {
        case .head(var head):
            Self.partTexts(&head)
            part = .head(head)
            (isRead, isAnswered) = (false, false)
            asksForOther = head.method == .connect || head.headerFields[.upgrade] != nil
            isLast = asksForOther || Self.saysClose(head.headerFields)
        case .body: break
        case .end: isRead = true
        }
        context.fireChannelRead(wrapInboundOut(part))
        closeWhereDone(context)
    }

    /// Parts the texts of a head where a string is slow with them (`ByteText`): any visitor sends some before we know who it is.
    private static func partTexts(_ head: inout HTTPRequest) {
        head.path = head.path.map(ByteText.parted)
        guard head.headerFields.contains(where: { !ByteText.isText($0.value) }) else { return }
        head.headerFields = HTTPFields(
            head.headerFields.map { HTTPField(name: $0.name, value: ByteText.parted($0.value)) }
        )
    }

    private static func saysClose(_ fields: HTTPFields) -> Bool {
        let options = fields[.connection]?.split { $0 == "," || $0 == " " || $0 == "\t" } ?? []
        return options.contains { ASCII.isSame($0, "close") }
    }

    // MARK: to the client

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            isLast = isLast || head.headerFields[.connection] == "close"
            if isLast { head.headerFields[.connection] = "close" }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
            // Nothing waits behind the last request, and the client's leave shows.
            passOn(context)
        case .body: context.write(data, promise: promise)
        case .end:
            let written = promise ?? context.eventLoop.makePromise()
            (answer, isAnswered) = (written.futureResult, true)
            context.write(data, promise: written)
            closeWhereDone(context)
            goOn(context)
        }
    }

    /// Closes our side only once the latest answer is with the system.
    ///
    /// Where the client has closed its own side already, our close ends the whole connection, and bytes that are not written by then are lost.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output, let answer else { return context.close(mode: mode, promise: promise) }
        answer.assumeIsolated().whenComplete { _ in context.close(mode: mode, promise: promise) }
    }

    /// Ends the connection behind the last answer: closes our side, so that the client gets all of the answer whatever it still sends.
    ///
    /// A client of another protocol sends no HTTP any more. Its connection is closed at once.
    private func closeWhereDone(_ context: ChannelHandlerContext) {
        guard isOver, isAnswered, let answer else { return }
        let mode: CloseMode = asksForOther ? .all : .output
        answer.assumeIsolated().whenComplete { _ in context.close(mode: mode, promise: nil) }
    }

    /// Goes on with what waited for the latest answer.
    private func goOn(_ context: ChannelHandlerContext) {
        guard !waiting.isEmpty else { return }
        passOn(context)
        context.fireChannelReadComplete()
        guard waiting.isEmpty, owesRead else { return }
        owesRead = false
        read(context: context)
    }
}

extension HTTPRequestPart {
    fileprivate var isEnd: Bool {
        if case .end = self { true } else { false }
    }
}
