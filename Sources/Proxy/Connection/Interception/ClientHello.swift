/// The parts of a TLS ClientHello that decide how it is answered (RFC 8446 §4.1.2).
struct ClientHello: Equatable {
    /// The server name, lower case; `nil` when none was sent (RFC 6066 §3).
    var serverName: String?
    /// The application protocols offered, in the client's order; empty without the extension (RFC 7301 §3.1).
    var applicationProtocols: [String] = []
    /// The features that tell which program sent it.
    var marks = ClientHelloMarks()

    /// The fingerprint by the method of JA4.
    var fingerprint: String { marks.fingerprint(hasName: serverName != nil, protocols: applicationProtocols) }

    /// Whether the client speaks HTTP/2.
    var offersHTTP2: Bool { applicationProtocols.contains("h2") }

    /// Whether the client speaks HTTP/2 and not HTTP/1, so that it leaves where HTTP/2 is not agreed on.
    var offersHTTP2Alone: Bool { offersHTTP2 && !offersHTTP1 }

    /// Whether HTTP may follow: the client offers no protocol, or one of HTTP's (their registered names, RFC 7301 §6).
    var mayBeHTTP: Bool { applicationProtocols.isEmpty || offersHTTP2 || offersHTTP1 }

    private var offersHTTP1: Bool { applicationProtocols.contains { $0.hasPrefix("http/") } }
}
