import Traffic

/// Where the page listens, who may read it, and how often it speaks.
package struct WebConfiguration: Sendable {
    /// The address to bind; loopback unless the user asked for more.
    package var host: String
    /// The port to bind; 0 lets the system pick one.
    package var port: Int
    /// The secret that opens the page: 128 random bits in hexadecimal, made anew at each start.
    package var token: String
    /// Names beside `127.0.0.1`, `[::1]` and `localhost` under which the page may be asked for, without port.
    package var allowedHosts: [String]
    /// How long changes are gathered before one event carries them to a page.
    package var eventWindow: Duration = .milliseconds(50)
    /// The silence after which a live connection says that it is still there.
    package var heartbeat: Duration = .seconds(15)
    /// The time between two words on how far a long counting is.
    package var progressInterval: Duration = .milliseconds(200)
    /// Connections that are served at once; more wait in the listening queue.
    package var connectionLimit = 256
    /// Connections at once on which nobody has shown a secret; of more the oldest is closed.
    package var visitorLimit = 64
    /// The time after which a connection without a request is closed.
    package var idleTimeout: Duration = .seconds(120)
    /// Bytes of a body that one answer carries decoded.
    package var decodedLimitBytes = 32 << 20
    /// Bytes of a body that one answer carries decoded where it is asked for that many; they are streamed, never held.
    package var streamedLimitBytes = 128 << 20
    /// Reads a certificate, DER in; `nil` for what is none.
    package var readCertificate: @Sendable ([UInt8]) -> CertificateFacts? = { _ in nil }
    /// Bytes of an archive that is uploaded; it is never held.
    package var importLimitBytes = 64 << 30
    /// The time that ages in queries count back from, and that replays keep their pace by.
    package var clock = TimeSource()

    package init(host: String = "127.0.0.1", port: Int = 0, token: String, allowedHosts: [String] = []) {
        self.host = host
        self.port = port
        self.token = token
        self.allowedHosts = allowedHosts
    }

    /// A fresh secret: 128 bits of the system's generator as 32 hexadecimal digits.
    package static func randomToken() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
