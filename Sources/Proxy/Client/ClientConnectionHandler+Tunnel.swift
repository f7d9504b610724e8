import NIOCore
import Traffic

/// How a CONNECT becomes a tunnel: dial, answer 200, change the pipeline (RFC 9110 §9.3.6).
///
/// The codec meanwhile keeps what comes behind the CONNECT, up to `pipelineLimitBytes`; the tunnel gets that first.
extension ClientConnectionHandler {
    /// Makes a tunnel unless a rule refuses it, which may depend on the client's program.
    func judgeTunnel(_ head: RequestHead, _ endpoint: Endpoint) {
        let row = ConnectRow(
            connection: connection,
            endpoint: endpoint,
            request: connection.recorded(head.raw),
            started: loop.timeOfDay,
            began: loop.now
        )
        connection.judgeTunnel(to: endpoint) { [self] refusal in
            // The client may have left by now.
            guard machine.isConnecting, context != nil else { return row.recordClientLeft() }
            guard let refusal else { return beginTunnel(head, endpoint, row) }
            refuseTunnel(head, endpoint, by: refusal.block, refusal.use)
        }
    }

    /// Dials where a CONNECT goes, or accepts it at once where a connection is ready or none is needed.
    private func beginTunnel(_ head: RequestHead, _ endpoint: Endpoint, _ row: ConnectRow) {
        let key = UpstreamKey(endpoint: endpoint, serverName: endpoint.host, reach: connection.reach)
        let isReady = [key, key.offering(.both)].contains {
            loop.shared.memory.isKnownGood($0) && loop.pool.isReady($0)
        }
        if isReady || connection.mayNeedNoUpstream(endpoint) {
            return accept(endpoint, head: head, dialed: nil, row: row)
        }
        let dialing = TunnelDial(dial: connection.newDial(), endpoint: endpoint, head: head, row: row)
        self.dialing = dialing
        let bound = NIOLoopBound((handler: self, dial: dialing.dial), eventLoop: loop.loop)
        loop.pool.dial(endpoint, for: connection, as: dialing.dial).assumeIsolated().whenComplete { result in
            let (handler, dial) = bound.value
            guard let dialing = handler.dialing, dialing.dial === dial else {
                if case .success(let dialed) = result { dialed.channel.close(promise: nil) }
                return
            }
            handler.dialing = nil
            switch result {
            case .success(let dialed): handler.accept(endpoint, head: dialing.head, dialed: dialed, row: dialing.row)
            case .failure(let error): handler.decline(dialing.head, endpoint, error)
            }
        }
    }

    /// Gives up the dial of a client that has left, and records it.
    func abandonDial() {
        guard let dialing = dialing.take() else { return }
        dialing.dial.giveUp()
        dialing.row.recordClientLeft()
    }

    /// Gives up a dial that a stopping proxy has waited for long enough, and answers its client.
    ///
    /// - Returns: whether there was one.
    func cutDial() -> Bool {
        guard let dialing = dialing.take() else { return false }
        dialing.dial.giveUp()
        decline(dialing.head, dialing.endpoint, ConnectRow.stopped)
        return true
    }

    /// Hands the connection to the handlers of HTTP/2, whose preface the client sent unasked (RFC 9113 §3.3).
    func changeToHTTP2() {
        guard let context, exchange == nil, !machine.isConnecting else { return }
        let channel = context.channel
        let bytes = codec.takeOver()
        do {
            let operations = channel.pipeline.syncOperations
            operations.removeHandler(self, promise: nil)
            operations.removeHandler(codec, promise: nil)
            try ClientPipeline.http2(channel, connection)
            channel.pipeline.fireChannelRead(bytes)
            channel.pipeline.fireChannelReadComplete()
            channel.read()
        } catch {
            channel.close(promise: nil)
        }
    }

    private func accept(_ endpoint: Endpoint, head: RequestHead, dialed: DialedUpstream?, row: ConnectRow) {
        guard let context else { return }
        let channel = context.channel
        let early = codec.takeOver()
        let destination = Destination(endpoint: endpoint, source: .connect, request: connection.recorded(head.raw))
        let peek = PeekHandler(connection: connection, destination: destination, dialed: dialed)
        do {
            let operations = channel.pipeline.syncOperations
            context.writeAndFlush(
                wrapOutboundOut(.head(ByteBuffer(staticString: "HTTP/1.1 200 Connection Established\r\n\r\n"), .none)),
                promise: nil
            )
            // The write may show that the client has left, of which a handler that is added later is not told.
            guard channel.isActive else {
                dialed?.channel.close(promise: nil)
                return row.recordClientLeft()
            }
            connection.bound.close()
            try operations.addHandler(peek)
            operations.removeHandler(self, promise: nil)
            operations.removeHandler(codec, promise: nil)
            peek.takeEarly(early, isAll: machine.isInputClosed)
            channel.read()
        } catch {
            dialed?.channel.close(promise: nil)
            channel.close(promise: nil)
        }
    }

    /// Refuses a CONNECT as a rule says.
    private func refuseTunnel(_ head: RequestHead, _ endpoint: Endpoint, by block: RuleBlock, _ use: RuleUse) {
        let refused = begin(ExchangeSubject(refused: head, endpoint: endpoint), persists: false)
        refused.tap.exchange.rules = [use]
        loop.watch.soon(self, exchange: refused.token, now: refused.marks.began)
        // The request is whole.
        refused.tell(.requestEnd(nil))
        refused.refuse(by: block, of: use.rule, isWhole: true)
        // Where the verdict came late, the client may have ended its side meanwhile.
        if machine.isInputClosed { exchange?.clientStopped() }
    }

    private func decline(_ head: RequestHead, _ endpoint: Endpoint, _ error: any Error) {
        let declined = begin(ExchangeSubject(refused: head, endpoint: endpoint), persists: false)
        // The request is whole.
        declined.tell(.requestEnd(nil))
        declined.tell(.refused(UpstreamConnector.failure(error, endpoint)))
    }
}
