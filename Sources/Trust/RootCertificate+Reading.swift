import Crypto
import SwiftASN1
import X509

extension RootCertificate {
    /// Reads a root from the text of its two files, whose paths the errors name.
    ///
    /// Refuses a root whose leaves no client would accept: damaged text, another kind of key, a certificate that is not its
    /// key's, is no authority, or whose signature is broken.
    init(
        certificatePEM: String,
        _ certificatePath: String,
        keyPEM: String,
        _ keyPath: String
    ) throws(TrustError) {
        guard let certificate = try? Certificate(pemEncoded: certificatePEM) else {
            throw .corrupt(path: certificatePath, problem: "does not hold one certificate in PEM")
        }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: keyPEM) else {
            throw .corrupt(path: keyPath, problem: "does not hold one P-256 private key in PEM")
        }
        guard certificate.publicKey == Certificate.PublicKey(key.publicKey) else {
            throw .mismatch(certificate: certificatePath, key: keyPath)
        }
        guard certificate.publicKey.isValidSignature(certificate.signature, for: certificate) else {
            throw .corrupt(path: certificatePath, problem: "is damaged: its signature does not fit its content")
        }
        guard case .isCertificateAuthority = try? certificate.extensions.basicConstraints else {
            throw .corrupt(path: certificatePath, problem: "is no certificate authority's")
        }
        do {
            try self.init(certificate: certificate, key: key)
        } catch {
            throw .corrupt(path: certificatePath, problem: "has no subject key identifier")
        }
    }
}
