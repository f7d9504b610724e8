package import NIOCore

/// The content of a supplied answer, read piece by piece as the client takes it.
package protocol SuppliedBody: Sendable {
    /// Gives the next bytes, empty ones at the end, or the error that prevents them.
    ///
    /// Calls `give` exactly once, from any thread; the next call of `next` comes only after that.
    func next(_ give: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void)
}
