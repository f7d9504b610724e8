/// Where the requests of a client may go.
enum UpstreamReach: Hashable, Sendable {
    /// Anywhere: the client is on this machine, or the user has named the upstream, or has allowed it to other clients.
    case anywhere
    /// Anywhere but to this machine, its link, and its cloud's metadata: servers there trust every program of this machine.
    case beyondThisMachine
}
