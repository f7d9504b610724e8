/// Whether the system's settings are inspect's, and how each of them stands now.
struct SystemProxyStatus: Sendable {
    /// What a process changed.
    struct Changes: Sendable {
        /// The proxy that the settings lead to, as `HOST:PORT`.
        let proxy: String
        /// The number of the process that runs that proxy.
        let pid: Int32
        /// Whether that process still runs; else it left its changes behind.
        let isRunning: Bool
        /// The settings, in the order of their changes.
        let settings: [Setting]
    }

    /// A setting that was changed.
    struct Setting: Sendable {
        /// What people call it.
        let place: String
        let state: State
    }

    /// How a setting stands now.
    enum State: Sendable {
        /// As inspect set it.
        case set
        /// As it was before.
        case asBefore
        /// Neither: somebody else changed it.
        case changed
        /// The system does not say, for this reason.
        case unknown(reason: String)
    }

    /// `nil` where inspect has set nothing.
    let changes: Changes?
}
