package import Archive
package import NIOCore
package import Traffic

/// Where the page listens, who may read it, and how often it speaks.
package struct WebConfiguration: Sendable {
    /// The address to bind; loopback unless the user asked for more.
    package var host: String
    /// The port to bind; 0 lets the system pick one.
    package var port: Int
    /// The secret that opens the page: 128 random bits in hexadecimal, new at each start.
    package var token: String
    /// Names of the page's host beside `127.0.0.1`, `[::1]` and `localhost`, without port.
    package var allowedHosts: [String]
    /// The time for which changes are gathered before one event carries them to a page.
    package var eventWindow: Duration = .milliseconds(50)
    /// The silence after which a live connection says that it is still there.
    package var heartbeat: Duration = .seconds(15)
    /// The time between two lines on how far a long counting is.
    package var progressInterval: Duration = .milliseconds(200)
    /// Connections that are served at once; more wait in the listening queue.
    package var connectionLimit = 256
    /// Connections at once on which no secret has been shown; beyond this the oldest is closed.
    package var visitorLimit = 64
    /// The time after which a connection without a request is closed.
    package var idleTimeout: Duration = .seconds(120)
    /// Bytes of a body that one answer carries decoded.
    package var decodedLimitBytes = 32 << 20
    /// Bytes of a body that one answer carries decoded where the address asks for so many; they are streamed, never held.
    package var streamedLimitBytes = 128 << 20
    /// Reads a certificate in DER; `nil` for bytes that are no certificate.
    package var readCertificate: @Sendable ([UInt8]) -> CertificateFacts? = { _ in nil }
    /// Words what mends a failed handshake as a line for a shell; `nil` shows no command.
    package var remedyWords: TLSRemedy.Words?
    /// Words what lifts a refusal as a line for a shell; `nil` shows no remedy for one.
    package var refusalWords: ExchangeJSON.RefusalWords?
    /// Whether another user of this machine is known to hold the other end of a connection; such a user's pass opens nothing.
    package var isForeign: @Sendable (_ connection: any Channel) async -> Bool = { _ in false }
    /// Bytes of an uploaded archive at most; the archive is never held.
    package var importLimitBytes = 64 << 30
    /// How long a dry run of rules looks at exchanges.
    package var trialTime: Duration = .seconds(5)
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
