import NIOCore

/// Something that deadlines apply to.
protocol Watched: AnyObject {
    /// Looks at the time; called about every 100 ms while watched, on its loop.
    func look(_ now: NIODeadline)
    /// The time given with `soon` has passed for the exchange of this number.
    func due(_ exchange: UInt64)
    /// The proxy is stopping: close if idle; says whether something is still under way.
    func drain() -> Bool
    /// The proxy has waited long enough: what is under way ends now, and is recorded so.
    func cut()
    /// The process can open nothing more: closes what is only kept for later.
    func makeRoom()
}

extension Watched {
    /// Nothing of its own is under way.
    func cut() {}
    /// Nothing of its own is kept.
    func makeRoom() {}
}
