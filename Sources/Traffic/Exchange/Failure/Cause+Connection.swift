/// What becomes of a connection, from the look-up of its name to its end.
extension Cause {
    /// The name has no address.
    package static let unknownName = Cause(rawValue: "unknown-name")
    /// The name could not be looked up, so whether it has an address is not known.
    package static let dns = Cause(rawValue: "dns")
    /// Nobody listens at the address and port.
    package static let refused = Cause(rawValue: "refused")
    /// The network has no way to the address.
    package static let unreachable = Cause(rawValue: "unreachable")
    /// A connection could not be made, for a reason that has no word of its own; also a CONNECT that could open no tunnel.
    package static let connect = Cause(rawValue: "connect")
    /// This process, or the machine, has no file left to open for another connection, or the proxy may have no more connections to upstreams.
    package static let noDescriptors = Cause(rawValue: "no-descriptors")
    /// A step took longer than its limit; side and phase say which.
    package static let timeout = Cause(rawValue: "timeout")
    /// The other end closed its connection before it was done.
    package static let closed = Cause(rawValue: "closed")
    /// The other end reset its connection, or its stream.
    package static let reset = Cause(rawValue: "reset")
    /// The connection failed under a message, or the recording that stands for it did.
    package static let broken = Cause(rawValue: "broken")
    /// The request would have ended at this proxy itself.
    package static let loop = Cause(rawValue: "loop")
    /// The proxy was stopped before the exchange had ended.
    package static let shutdown = Cause(rawValue: "shutdown")
    /// Requests are answered from recordings here, and nothing is connected to.
    package static let offline = Cause(rawValue: "offline")
    /// The client may not use this proxy, or may not go where it wants to.
    package static let notAllowed = Cause(rawValue: "not-allowed")
    /// A rule refused the request, or could not give the answer that it has for it.
    package static let rule = Cause(rawValue: "rule")
    /// A proxy, ours or the one behind it, did not get the login that it asks for.
    package static let proxyAuthentication = Cause(rawValue: "proxy-authentication")
    /// The upstream proxy would not make the connection.
    package static let proxyRefused = Cause(rawValue: "proxy-refused")
    /// A client of the SOCKS listener speaks another version than 5 (RFC 1928).
    package static let socksVersion = Cause(rawValue: "socks-version")
    /// A client of the SOCKS listener offers no way to go without a login.
    package static let socksMethod = Cause(rawValue: "socks-method")
    /// A client's login to SOCKS is of another version than 1 (RFC 1929).
    package static let socksLogin = Cause(rawValue: "socks-login")
    /// A client asked SOCKS for something other than a connection.
    package static let socksCommand = Cause(rawValue: "socks-command")
    /// A client gave SOCKS an address that is no host and port.
    package static let socksAddress = Cause(rawValue: "socks-address")
}
