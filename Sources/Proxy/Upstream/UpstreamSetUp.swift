/// How long an upstream connection took to come about, microseconds.
struct UpstreamSetUp {
    /// `nil` for an address.
    var dns: Int64?
    var connect: Int64
    /// `nil` without TLS.
    var tls: Int64?
}
