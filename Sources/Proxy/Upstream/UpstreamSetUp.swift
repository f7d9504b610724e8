/// How long opening an upstream connection took, in microseconds.
struct UpstreamSetUp {
    /// Resolving the name; `nil` for an address.
    var dns: Int64?
    var connect: Int64
    /// The TLS handshake; `nil` without TLS.
    var tls: Int64?
}
