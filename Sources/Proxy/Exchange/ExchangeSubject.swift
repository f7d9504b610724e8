import NIOCore
import Traffic

/// What an exchange is about, as far as its request could be read.
struct ExchangeSubject {
    /// Where a request goes.
    struct Errand {
        let route: RequestRoute
        /// The connection that it needs; where its client may go is looked at again whenever one is looked for.
        var key: UpstreamKey
        /// Whom to ask for the answer in the upstream's place; `nil` where the upstream is asked.
        let source: (any AnswerSource)?
    }

    /// What came; an unread head where that is no request.
    let head: RequestHead
    /// `nil` where nothing is to be sent.
    var errand: Errand?
    /// As the record has it; `nil` where the client did not come to say so.
    let scheme: Scheme?
    let endpoint: Endpoint?
    let target: String
    /// `nil` where nothing tells.
    let version: HTTPVersion?

    /// A request that is to be answered.
    init(_ head: RequestHead, _ route: RequestRoute, _ key: UpstreamKey, _ source: (any AnswerSource)?) {
        self.head = head
        errand = Errand(route: route, key: key, source: source)
        scheme = route.scheme
        endpoint = route.endpoint
        target = route.originTarget.map { String(buffer: $0) } ?? head.targetText
        version = head.version
    }

    /// A request that is not to be sent.
    init(refused head: RequestHead, endpoint: Endpoint?) {
        self.head = head
        self.endpoint = endpoint
        scheme = nil
        target = head.targetText
        version = head.version
    }

    /// What is no request.
    ///
    /// - Parameters:
    ///   - kept: as much of it as the record has.
    ///   - endpoint: where the connection goes; `nil` where each request says so.
    ///   - version: the client's, where that is known without a request.
    init(unread kept: ByteBuffer, endpoint: Endpoint?, version: HTTPVersion?) {
        head = RequestHead(unread: kept, version: version ?? .http11)
        self.endpoint = endpoint
        self.version = version
        scheme = nil
        target = ""
    }
}
