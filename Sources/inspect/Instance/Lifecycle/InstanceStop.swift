import Foundation

/// Stops a running instance and waits until its store is closed.
struct InstanceStop {
    /// What closing a large store may take beside the draining.
    private static let closeLimit = Duration.seconds(30)
    /// How long the process itself may take to be gone once its store is closed.
    private static let exitLimit = Duration.seconds(2)
    private static let pollInterval = Duration.milliseconds(20)

    private let instance: InstanceFile

    init(_ instance: InstanceFile) { self.instance = instance }

    /// Asks the instance to end (SIGTERM) and waits; returns the microseconds that it took.
    ///
    /// The store's lock says when everything is written; the end of the process itself is waited for only a moment.
    ///
    /// - Throws: `InputError` when this user may not stop the instance; `StillStopping` when it does not end in time.
    func run() async throws -> Int64 {
        let began = ContinuousClock.now
        // One that is stopping has been asked.
        guard instance.isStopping == true || kill(instance.pid, SIGTERM) == 0 else {
            guard errno != ESRCH else { return 0 }
            throw InputError("process \(instance.pid) may not be stopped by this user; it is another's")
        }
        let limit = Duration.seconds(instance.drainSeconds ?? 10) + Self.closeLimit
        try await wait(limit) { !instance.isWriting }
        guard !instance.isWriting else { throw StillStopping(pid: instance.pid, limit: limit) }
        try await wait(Self.exitLimit) { hasEnded }
        return Int64((ContinuousClock.now - began) / .microseconds(1))
    }

    /// Whether the process is gone, or has nothing left but the number that its parent has yet to take back, which in a container may never be.
    private var hasEnded: Bool {
        if kill(instance.pid, 0) != 0 { return true }
        let stat = FileManager.default.contents(atPath: "/proc/\(instance.pid)/stat")
        // Behind the name, which stands in brackets and may hold some.
        return stat.map { String(decoding: $0, as: UTF8.self).split(separator: ")").last?.hasPrefix(" Z") == true }
            ?? false
    }

    private func wait(_ limit: Duration, until isMet: () -> Bool) async throws {
        let deadline = ContinuousClock.now + limit
        while !isMet(), ContinuousClock.now < deadline { try await Task.sleep(for: Self.pollInterval) }
    }
}
