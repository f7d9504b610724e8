import NIOCore

/// Something that deadlines apply to.
protocol Watched: AnyObject {
    /// Compares its deadlines with the time; called about every 100 ms while it is watched, on its loop.
    func look(_ now: NIODeadline)
    /// The delay after a call of `LoopWatch.soon` has passed for the exchange with this number.
    func due(_ exchange: UInt64)
    /// Closes if idle, since the proxy is stopping.
    ///
    /// - Returns: whether something is still under way.
    func drain() -> Bool
    /// Ends and records what is under way, since the stopping proxy has waited long enough.
    ///
    /// - Returns: whether an exchange ended with it that went on until then.
    func cut() -> Bool
    /// Closes what is only kept for later, since the process can open no more sockets.
    func makeRoom()
}

extension Watched {
    /// Does nothing: it has nothing under way.
    func cut() -> Bool { false }
    /// Does nothing: it keeps nothing for later.
    func makeRoom() {}
}
