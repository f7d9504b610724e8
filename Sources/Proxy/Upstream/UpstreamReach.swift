/// Where the requests of a client may go.
enum UpstreamReach: Hashable, Sendable {
    /// Everywhere: the client is on this machine, or the user has named the upstream, or lets others in everywhere.
    case anywhere
    /// Nowhere on this machine, and to nothing that only its own link reaches or its cloud offers it alone: those trust whoever asks from here.
    case beyondThisMachine
}
