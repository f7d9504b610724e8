import NIOCore
import Traffic

/// The request of an exchange and where it goes, as far as the request could be read.
struct ExchangeSubject {
    /// Where a request goes.
    struct Errand {
        /// What the request is sent as, and to which host.
        var route: RequestRoute
        /// The connection that the request needs; each search for it checks anew where the client may go.
        var key: UpstreamKey
        /// What answers in the upstream's place; `nil` where the upstream answers.
        let source: (any AnswerSource)?
    }

    /// The request's head, as it is sent; an unread one where the bytes are no request.
    var head: RequestHead
    /// Where the request goes; `nil` where nothing is to be sent.
    var errand: Errand?
    /// The scheme for the record; `nil` where the client did not get as far as to say it.
    let scheme: Scheme?
    /// The host and port for the record; `nil` where they are not known.
    let endpoint: Endpoint?
    /// The request target for the record.
    let target: String
    /// The client's version; `nil` where nothing tells.
    let version: HTTPVersion?

    /// The subject of a request that goes to an upstream, or to what answers in its place.
    init(_ head: RequestHead, _ route: RequestRoute, _ key: UpstreamKey, _ source: (any AnswerSource)?) {
        self.head = head
        errand = Errand(route: route, key: key, source: source)
        scheme = route.scheme
        endpoint = route.endpoint
        target = route.originTarget.map { ByteText.lossless($0) } ?? head.targetText
        version = head.version
    }

    /// The subject of a request that is not to be sent.
    init(refused head: RequestHead, endpoint: Endpoint?) {
        self.head = head
        self.endpoint = endpoint
        scheme = nil
        target = head.targetText
        version = head.version
    }

    /// The subject of bytes that are no request.
    ///
    /// - Parameters:
    ///   - kept: as many of the bytes as the record keeps.
    ///   - endpoint: where the connection goes; `nil` where each request says so.
    ///   - version: the client's version; `nil` where only a request would tell.
    init(unread kept: ByteBuffer, endpoint: Endpoint?, version: HTTPVersion?) {
        head = RequestHead(unread: kept, version: version ?? .http11)
        self.endpoint = endpoint
        self.version = version
        scheme = nil
        target = ""
    }
}
