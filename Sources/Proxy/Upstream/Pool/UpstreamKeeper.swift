/// Keeps upstream connections while no exchange is on them.
protocol UpstreamKeeper: AnyObject {
    /// Forgets a connection that closed, or is to be closed.
    func remove(_ upstream: UpstreamHandler)
}
