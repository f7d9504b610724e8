import Proxy
import Traffic

/// A proxy that runs in this process, as far as a demonstration needs to know it.
struct RunningInstance: Sendable {
    /// Its listeners, with the ports that the system gave.
    let listeners: [ListenMode]
    /// The URL of its page, with the token; `nil` where no page is served.
    let pageURL: String?
    /// The root certificate its clients must trust, PEM.
    let rootPEM: String
    /// The store it records into.
    let storePath: String
    /// What the user should know of the store.
    var warnings: [String] = []
    /// Rules that were on at the start, and all that there were.
    var onRuleCount = 0
    var ruleCount = 0
    /// Returns once every event loop has had its turn.
    var beat: @Sendable () async throws -> Void = {}
    /// Takes other options over, as far as it can while it runs.
    var reload: @Sendable (StartOptions) async throws -> Void = { _ in }

    /// `3 of 5 rules are on`; `nil` where there are none.
    var rulesSentence: String? {
        ruleCount == 0 ? nil : "\(onRuleCount) of \(ruleCount.counted("rule is", "rules are")) on"
    }

    /// The port of the first explicit listener; 0 where there is none.
    var proxyPort: Int { listeners.first { $0.way == .explicit }?.port ?? 0 }

    /// Runs a proxy while a closure runs, and stops it after.
    ///
    /// The first argument holds the certificates that it trusts upstream beside the system's, PEM.
    typealias Runner =
        @Sendable (
            _ upstreamRootsPEM: String, _ body: @escaping @Sendable (RunningInstance) async throws -> Void
        ) async throws -> Void
}
