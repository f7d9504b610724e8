/// What answers every request in place of upstreams: recordings, or pages of our own.
///
/// With one, the proxy opens no upstream connection whatever it is asked (`UpstreamConnector`), every listener is an origin server too, and
/// TLS is read on it for any name.
package protocol AnswerSource: Sendable {
    /// Takes a request; called on any event loop, never blocks, and calls `give` exactly once, from any thread.
    func answer(_ request: AskedRequest, _ give: @escaping @Sendable (SuppliedAnswer) -> Void)
}
