/// Takes the events of the proxy and keeps them.
package protocol CaptureSink: Sendable {
    /// Takes a batch; called on any event loop, never blocks, and calls `onCommit` exactly once.
    ///
    /// The caller bounds the bytes it has handed over and not yet seen committed, so a sink queues without a bound of its own.
    func submit(_ batch: CaptureBatch)
}
