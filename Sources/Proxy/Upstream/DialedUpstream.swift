import NIOCore

/// A TCP connection to an upstream, before anything was said on it.
///
/// Reads nothing until a pipeline is built.
struct DialedUpstream {
    var channel: any Channel
    var address: String
    var place: UpstreamPlace
    /// By what it was dialled.
    let madeBy: ProxyShared
    /// Microseconds the name took; `nil` for an address.
    var dns: Int64?
    /// Microseconds the connection took.
    var connect: Int64
}
