import NIOCore
import NIOHTTP2
import Traffic

/// One HTTP/2 connection to an upstream, which opens a stream for each exchange and knows how many more it may open (RFC 9113 §5.1.2, §6.8).
final class HTTP2Upstream: ChannelInboundHandler, Watched {
    typealias InboundIn = HTTP2Frame

    let key: UpstreamKey
    let peer: Peer
    let place: UpstreamPlace
    /// The pool that hands out its streams while it takes more.
    weak var pool: UpstreamPool?
    /// The configuration that it was connected by.
    let madeBy: ProxyShared?
    /// How long the connection is kept without a stream.
    var idleLimit = TimeAmount.seconds(30)

    private let channel: any Channel
    private let splitter: FrameSplitter
    private let multiplexer: NIOHTTP2Handler.StreamMultiplexer
    private let limits: HeadLimits
    private var setUp: UpstreamSetUp?
    private var openCount = 0
    /// How many streams have an exchange; others stay open until their last frame has left.
    private var usedCount = 0
    private var startedCount = 0
    /// How many streams the upstream allows; until it says so, the least that RFC 9113 §6.5.2 recommends.
    private var limitCount = 100
    /// Looks at it from its beginning to its end, whether a pool hands out its streams or not.
    private let watch: LoopWatch
    /// When its last stream ended.
    private(set) var idleSince: NIODeadline
    /// The last stream that the upstream says it may process; `nil` while it takes new ones.
    private var lastStreamID: Int?
    private(set) var isClosed = false
    /// How long its settings were waited for in vain; `nil` where they came, or still may.
    private(set) var silence: TimeAmount?
    /// Whether it takes an extended CONNECT (RFC 8441 §3); `nil` while its settings are waited for.
    private(set) var takesExtendedConnect: Bool?
    /// Why the connection ended as a whole, where the upstream broke the rules or ended it: a cause, and what the upstream did.
    private(set) var problem: (cause: Cause, message: String)?
    /// Bytes of a request's field section that the upstream takes, 32 for each field among them, where it has said so (RFC 9113 §6.5.2).
    private(set) var fieldsLimitBytes: Int?
    private var awaitingSettings: [() -> Void] = []
    /// The time after which an upstream that has sent no settings is taken to have none.
    private let settingsLimit: TimeAmount
    private let settingsDeadline: NIODeadline
    /// How long it may take nothing of what it is sent before new streams go by another connection: as long as that one may take to be made.
    private let retireLimit: TimeAmount
    /// How long it may take nothing before it is given up with all its streams, where it sends nothing either or has no exchange.
    private let stuckLimit: TimeAmount
    /// Watches whether it takes what it is sent, once a look found no room for more; `nil` while there is room.
    private var sending: SocketProgress?
    /// How many reads had brought bytes by the last look.
    private var readCount = 0
    /// When the last look was.
    private var looked: NIODeadline
    /// The last look after which something came.
    private var heard: NIODeadline

    /// Builds the pipeline of a connection on which HTTP/2 was agreed.
    init(
        key: UpstreamKey,
        peer: Peer,
        place: UpstreamPlace,
        setUp: UpstreamSetUp,
        channel: any Channel,
        shared: ProxyShared,
        watch: LoopWatch
    ) throws {
        self.key = key
        self.peer = peer
        self.place = place
        self.setUp = setUp
        self.channel = channel
        madeBy = shared
        self.watch = watch
        let now = watch.now
        (idleSince, looked, heard) = (now, now, now)
        settingsLimit = shared.configuration.handshakeTimeout
        settingsDeadline = now + settingsLimit
        retireLimit = shared.configuration.connectTimeout
        stuckLimit = shared.configuration.idleTimeout
        limits = shared.configuration.headLimits
        let joined = JoinedWrites()
        splitter = FrameSplitter(isClient: true, joined: joined)
        let handler = NIOHTTP2Handler(
            mode: .client,
            eventLoop: channel.eventLoop,
            connectionConfiguration: HTTP2Settings.upstreamConnection(shared.configuration),
            streamConfiguration: HTTP2Settings.upstreamStream(shared.configuration)
        ) { stream in stream.close() }
        try channel.pipeline.syncOperations.addHandlers(joined, splitter, handler)
        multiplexer = try handler.syncMultiplexer()
        // Before this handler hears of settings.
        splitter.begin(try channel.pipeline.syncOperations.context(handler: splitter))
        try channel.pipeline.syncOperations.addHandler(self)
    }

    /// Whether another stream may be opened now.
    var hasRoom: Bool {
        !isClosed && lastStreamID == nil && openCount < limitCount && !isFlooded && channel.isActive
    }

    /// Whether the upstream has reset more streams than there were: its connection is about to be given up, with all that are on it then.
    private var isFlooded: Bool { splitter.resetCount > startedCount }

    /// Whether it has no exchange.
    var isIdle: Bool { openCount == 0 }

    /// Whether the upstream has said that it will not process this stream (RFC 9113 §6.8).
    func hasGivenUp(_ streamID: Int?) -> Bool {
        guard let lastStreamID, let streamID else { return false }
        return streamID > lastStreamID
    }

    /// Whether the upstream's settings have come, or are not waited for any longer.
    var isSettled: Bool { takesExtendedConnect != nil }

    /// A future that completes once it is settled.
    func settled() -> EventLoopFuture<Void> {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        whenSettled { promise.succeed() }
        return promise.futureResult
    }

    /// Calls back, on the loop, when the upstream's settings have come, or are not waited for any longer.
    func whenSettled(_ then: @escaping () -> Void) {
        if isClosed { takesNoMore() }
        if isSettled { then() } else { awaitingSettings.append(then) }
    }

    /// Settles what the settings did not say by the end: it is not taken.
    private func takesNoMore() { takesExtendedConnect = takesExtendedConnect ?? false }

    private func settle() {
        let waiting = awaitingSettings
        awaitingSettings = []
        for then in waiting { then() }
    }

    /// Opens a stream; fails with an `ExchangeFailure`.
    func openStream() -> EventLoopFuture<OpenUpstream> {
        if openCount == 0 { pool?.firstStreamOpens() }
        openCount += 1
        startedCount += 1
        let loop = channel.eventLoop
        let isReused = startedCount > 1
        let first = setUp.take()
        let bound = NIOLoopBound((self, first), eventLoop: loop)
        let opened = NIOLoopBoundBox<UpstreamHandler?>(nil, eventLoop: loop)
        return multiplexer.createStreamChannel { stream in
            loop.makeCompletedFuture {
                let (connection, setUp) = bound.value
                let codec = HTTP2StreamCodec(
                    role: .responses,
                    limits: connection.limits,
                    splitter: connection.splitter
                )
                let handler = UpstreamStreamHandler(
                    codec,
                    of: connection,
                    setUp: setUp,
                    channel: stream,
                    isReused: isReused
                )
                try stream.pipeline.syncOperations.addHandlers(codec, handler)
                opened.value = handler
                stream.closeFuture.assumeIsolated().whenComplete { _ in bound.value.0.streamClosed() }
            }
        }.flatMapThrowing { stream in
            guard let handler = opened.value else { throw ChannelError.ioOnClosedChannel }
            return OpenUpstream(handler, eventLoop: loop)
        }.flatMapErrorThrowing { error in
            let connection = bound.value.0
            if opened.value == nil { connection.streamClosed() }
            throw ExchangeFailure(
                side: .upstream,
                phase: .connect,
                cause: .closed,
                message: "\(connection.key.endpoint) closed the connection before a stream could be opened (\(error)).",
                retry: true
            )
        }
    }

    /// Notes that the upstream refused a stream: it seems to take no further streams, and to keep those that are open.
    func wasRefused() { retire() }

    /// Notes that an exchange was given up, since nothing has come for it since then; where nothing else has come, the connection may be dead.
    func wasSilent(since: NIODeadline) {
        if splitter.readCount == readCount, heard <= since { retire() }
    }

    /// Opens no further streams, and closes the connection with the last open one.
    private func retire() {
        takeNoMore()
        pool?.remove(self)
    }

    /// Opens no further streams for other owners, and closes with the last; a connection on which no stream will be opened is closed by its owner.
    func takeNoMore() { lastStreamID = lastStreamID ?? .max }

    /// Closes the connection; streams on it break.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        pool?.remove(self)
        ConnectionEnd.leave(channel)
    }

    /// Notes that an exchange came to one of its streams, or left one.
    func countUse(_ change: Int) { usedCount += change }

    private func streamClosed() {
        openCount -= 1
        guard openCount == 0 else { return }
        idleSince = watch.now
        pool?.lastStreamEnded()
        if watch.isShort { makeRoom() }
        if lastStreamID != nil { close() }
    }

    // MARK: From the channel

    func handlerAdded(context: ChannelHandlerContext) { watch.add(self) }

    func handlerRemoved(context: ChannelHandlerContext) { watch.remove(self) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data).payload {
        case .settings(.settings(let settings)):
            silence = nil
            if let limit = settings.last(where: { $0.parameter == .maxConcurrentStreams }) { limitCount = limit.value }
            if let list = settings.last(where: { $0.parameter == .maxHeaderListSize }) { fieldsLimitBytes = list.value }
            if let connect = settings.last(where: { $0.parameter == .enableConnectProtocol }) {
                takesExtendedConnect = connect.value == 1
            }
            takesNoMore()
            settle()
        case .goAway(let last, let code, _):
            lastStreamID = Int(last)
            if code != .noError, problem == nil {
                problem = (.goAway, "gave the connection up before the response was complete (\(code.name))")
            }
            pool?.remove(self)
            if openCount == 0 { close() }
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard HTTP2Settings.endsConnection(error) else { return }
        if error is any NIOHTTP2Error, problem == nil {
            let name = String(describing: type(of: error))
            problem = (.http2, "broke the rules of HTTP/2, and its connection was closed (\(name))")
        }
        close()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosed = true
        takesNoMore()
        pool?.remove(self)
        settle()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(ChannelEvent.inputClosed) = event as? ChannelEvent { close() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { sending = nil }
        context.fireChannelWritabilityChanged()
    }

    // MARK: Time

    func look(_ now: NIODeadline) {
        if splitter.readCount != readCount { (readCount, heard) = (splitter.readCount, looked) }
        looked = now
        guard !isStuck(now) else { return giveUp() }
        if openCount == 0, now - idleSince >= idleLimit { close() }
        guard !isSettled, now >= settingsDeadline else { return }
        silence = settingsLimit
        takesNoMore()
        settle()
    }

    /// Whether the upstream has taken nothing for too long of what it is sent; resets of streams wait among that.
    private func isStuck(_ now: NIODeadline) -> Bool {
        guard !channel.isWritable else {
            sending = nil
            return false
        }
        var progress = sending ?? SocketProgress(since: now)
        progress.look(channel, stream: nil, now)
        sending = progress
        let time = now - progress.since
        if time >= retireLimit { retire() }
        // It may send meanwhile what others asked for; what it sends when there are none does not prolong it.
        return time >= stuckLimit && (usedCount == 0 || now - heard >= stuckLimit)
    }

    /// Breaks the connection off, since nothing that is written would ever leave.
    private func giveUp() {
        if problem == nil { problem = (.timeout, "took nothing of what it was sent for \(stuckLimit.text)") }
        isClosed = true
        pool?.remove(self)
        ConnectionEnd.reset(channel)
    }

    func due(_ exchange: UInt64) {}

    func drain() -> Bool {
        if openCount == 0 { close() }
        return openCount > 0
    }

    func makeRoom() {
        // One that no pool hands out, or that was just made, is about to be used.
        guard pool != nil, isIdle, startedCount > 0 || watch.now - idleSince >= LoopWatch.stepLimit else { return }
        close()
    }
}
