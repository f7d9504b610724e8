/// Why the proxy cannot start, or follow another configuration.
///
/// The description is a sentence for the user without its capital and its full stop. It names no option: the caller knows where the configuration
/// comes from, and says what helps.
package enum ProxyStartError: Error, Sendable, CustomStringConvertible {
    /// The file cannot take the TLS secrets; `problem` says why, after its name.
    case keyLog(path: String, problem: String)
    /// The further upstream roots are not PEM certificates.
    case upstreamRoots
    /// The file of a client certificate cannot be used; `problem` says why, after its name.
    case clientCertificate(file: String, problem: String)
    /// Another program listens there; `isListed` where the configuration lists its ways in.
    case portInUse(ListenMode, isListed: Bool)
    /// This user may not listen there; `isListed` where the configuration lists its ways in.
    case portForbidden(ListenMode, isListed: Bool)
    /// No network of this machine has the address; `isListed` where the configuration lists its ways in.
    case foreignAddress(ListenMode, isListed: Bool)
    /// The system says something else of listening there.
    case listening(ListenMode, problem: String)
    /// The system does not say where a redirected connection was to go.
    case notTransparent
    /// The proxy has stopped.
    case stopped

    package var description: String {
        switch self {
        case .keyLog(let path, let problem): "the key log \(path) \(problem)"
        case .upstreamRoots: "the further upstream roots are not PEM certificates"
        case .clientCertificate(let file, let problem): "the client certificate \(file) \(problem)"
        case .portInUse(let mode, _): "\(mode.place) is in use by another program"
        case .portForbidden(let mode, _): "\(mode.place) may not be listened on by this user"
        case .foreignAddress(let mode, _): "\(mode.host) is not an address of this machine"
        case .listening(let mode, let problem): "cannot listen on \(mode.place): \(problem)"
        case .notTransparent:
            "a transparent listener needs Linux, whose kernel says where a redirected connection was to go; use explicit or socks5 here"
        case .stopped: "the proxy has stopped"
        }
    }
}
