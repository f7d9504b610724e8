import Hummingbird

/// What a handler knows of its request beside the request: the connection's own port, which the Host field must name.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The port the connection came in on; `nil` when the system does not tell.
    let localPort: Int?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        localPort = source.channel.localAddress?.port
    }
}
