/// What a TLS ClientHello says that decides how it is answered (RFC 8446 §4.1.2).
struct ClientHello: Equatable {
    /// The server name, lower case; `nil` when none was sent (RFC 6066 §3).
    var serverName: String?
    /// The application protocols offered, in the client's order; empty without the extension (RFC 7301 §3.1).
    var applicationProtocols: [String] = []
    /// What tells its sender.
    var marks = ClientHelloMarks()

    /// The fingerprint by the method of JA4.
    var fingerprint: String { marks.fingerprint(hasName: serverName != nil, protocols: applicationProtocols) }

    /// Whether the client speaks HTTP/2.
    var offersHTTP2: Bool { applicationProtocols.contains("h2") }
}
