import NIOCore

/// A listener that takes connections.
package struct BoundListener: Sendable {
    /// Its way and address, with the port that the system gave.
    package let mode: ListenMode
    let channel: any Channel
}
