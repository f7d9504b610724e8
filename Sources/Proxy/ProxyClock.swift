import NIOCore

/// The monotonic time that deadlines are held to: the machine's, or another that is passed in and stands still until it is moved.
package struct ProxyClock: Sendable {
    private let given: (@Sendable () -> NIODeadline)?

    /// The machine's.
    package init() { given = nil }

    /// One that says itself what time it is; it is asked on every event loop, and looked at about every 100 ms of the machine's.
    package init(_ now: @escaping @Sendable () -> NIODeadline) { given = now }

    /// The time now.
    var now: NIODeadline { given?() ?? .now() }
}
