/// What a certificate says, in words for people.
package struct CertificateFacts: Hashable, Sendable {
    /// The subject's distinguished name (RFC 4514); empty when it has none.
    package var subject: String
    package var issuer: String
    /// The subject's alternative names, each with its kind unless it is a DNS name.
    package var names: [String]
    /// The moment in microseconds since 1970-01-01T00:00:00Z.
    package var notBefore: Int64
    package var notAfter: Int64
    /// The serial number, hexadecimal pairs with colons.
    package var serial: String
    /// The SHA-256 of the whole certificate, hexadecimal pairs with colons.
    package var sha256: String
    /// The kind of the public key.
    package var key: String
    /// How it is signed.
    package var signature: String

    package init(
        subject: String,
        issuer: String,
        names: [String],
        notBefore: Int64,
        notAfter: Int64,
        serial: String,
        sha256: String,
        key: String,
        signature: String
    ) {
        self.subject = subject
        self.issuer = issuer
        self.names = names
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.serial = serial
        self.sha256 = sha256
        self.key = key
        self.signature = signature
    }
}
