import NIOCore

/// The content of a supplied answer, read piece by piece as the client takes it.
package protocol SuppliedBody: Sendable {
    /// Gives the next bytes, empty at the end, or why there are none; calls `give` exactly once, from any thread, and is not asked again before.
    func next(_ give: @escaping @Sendable (Result<ByteBuffer, any Error>) -> Void)
}
