import NIOCore

/// A TCP connection to an upstream on which nothing was sent yet.
///
/// It reads nothing until its pipeline is built.
struct DialedUpstream {
    var channel: any Channel
    var address: String
    var place: UpstreamPlace
    /// The configuration that it was dialled by.
    let madeBy: ProxyShared
    /// Microseconds that resolving the name took; `nil` for an address.
    var dns: Int64?
    /// Microseconds that connecting took.
    var connect: Int64
}
