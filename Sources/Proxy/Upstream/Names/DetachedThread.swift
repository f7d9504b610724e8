#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A thread that nothing waits for; unlike Foundation's, it tells where the system has no thread to give.
enum DetachedThread {
    /// The closure to run, on its way through the system's call.
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs a closure on a new thread; returns false where the system has no thread to give.
    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        let body = Unmanaged.passRetained(Body(run))
        #if canImport(Darwin)
        var thread: pthread_t?
        let status = pthread_create(&thread, nil, { DetachedThread.run($0) }, body.toOpaque())
        #else
        var made = pthread_t()
        let status = pthread_create(&made, nil, { DetachedThread.run($0) }, body.toOpaque())
        let thread = Optional(made)
        #endif
        guard status == 0 else {
            body.release()
            return false
        }
        if let thread { pthread_detach(thread) }
        return true
    }

    private static func run(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let body { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
        return nil
    }
}
