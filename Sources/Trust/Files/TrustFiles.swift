import Crypto
package import Foundation
import Traffic

/// The directory that keeps a root: clients are given `root.pem`, and nobody is given `root-key.pem`.
///
/// A root that is there is never changed or replaced. A new root appears whole: both files are written beside their
/// places under other names (`.new`) and flushed to disk, then the key is renamed into place and last the certificate, under a
/// lock on the directory. Whoever sees `root.pem` therefore sees its key too; a crash between the two renames is
/// finished at the next opening, a crash before them leaves only `.new` files, which are then discarded.
package struct TrustFiles: Sendable {
    /// The directory's absolute path.
    package let directory: String
    /// Where the certificate is, mode 0644.
    package var certificatePath: String { directory + "/root.pem" }
    /// Where the key is, mode 0600.
    package var keyPath: String { directory + "/root-key.pem" }
    /// The directory of the files that clients read to trust the root.
    package var clientsDirectory: String { directory + "/clients" }
    /// The file of this machine's roots and ours, for clients that trust only the roots of one file; commands write it.
    package var bundlePath: String { clientsDirectory + "/bundle.pem" }

    /// How long to wait for another process that is making the root, which takes milliseconds.
    let lockDeadline: Duration

    private var newCertificatePath: String { certificatePath + ".new" }
    private var newKeyPath: String { keyPath + ".new" }

    /// Names the directory; nothing is read or made yet.
    package init(directory: String) { self.init(directory: directory, lockDeadline: .seconds(10)) }

    init(directory: String, lockDeadline: Duration) {
        self.directory = URL(fileURLWithPath: directory).standardizedFileURL.path
        self.lockDeadline = lockDeadline
    }

    /// Opens the root, making the directory (0700) and the root when there is none yet.
    package func openRoot(hostName: String, now: Date) throws(TrustError) -> RootCertificate {
        if let root = try existingRoot(now: now) { return root }
        try PrivateDirectory.make(directory)
        let lock = try DirectoryLock(directory, deadline: lockDeadline)
        defer { lock.release() }
        try finishInterruptedCreation(now: now)
        if let root = try existingRoot(now: now) { return root }
        return try create(hostName: hostName, now: now)
    }

    /// Opens the root if there is one, and makes nothing.
    ///
    /// The answer is `nil` too while another process is making the root.
    package func existingRoot(now: Date) throws(TrustError) -> RootCertificate? {
        guard try PrivateDirectory.check(directory) else { return nil }
        // The certificate first: it is the last to appear, so a key missing after it was seen is truly missing.
        guard let certificate = try TrustFile(certificatePath).read(others: .mayRead) else { return nil }
        guard let key = try TrustFile(keyPath).read(others: .mayNothing) else {
            throw .missing(path: keyPath, other: certificatePath)
        }
        return try root(certificate: certificate, certificatePath, key: key, now: now)
    }

    /// Renames the certificate of a creation that ended between the two renames; the lock is held.
    private func finishInterruptedCreation(now: Date) throws(TrustError) {
        guard try TrustFile(certificatePath).read(others: .mayRead) == nil,
            let key = try TrustFile(keyPath).read(others: .mayNothing)
        else { return }
        guard let certificate = try TrustFile(newCertificatePath).read(others: .mayRead) else {
            throw .missing(path: certificatePath, other: keyPath)
        }
        _ = try root(certificate: certificate, newCertificatePath, key: key, now: now)
        try TrustFile(newCertificatePath).rename(to: certificatePath)
        try PrivateDirectory.flush(directory)
    }

    /// Writes a new root; the lock is held and neither file is there.
    private func create(hostName: String, now: Date) throws(TrustError) -> RootCertificate {
        let root = try RootCertificate(newOn: hostName, now: now)
        let newKey = TrustFile(newKeyPath)
        let newCertificate = TrustFile(newCertificatePath)
        // A crash before any rename left these: nobody has seen that root.
        try newKey.discard()
        try newCertificate.discard()
        do {
            try newKey.create(root.key.pemRepresentation + "\n", mode: 0o600)
            try newCertificate.create(root.pem, mode: 0o644)
            try newKey.rename(to: keyPath)
        } catch {
            try? newKey.discard()
            try? newCertificate.discard()
            throw error
        }
        try newCertificate.rename(to: certificatePath)
        try PrivateDirectory.flush(directory)
        return root
    }

    private func root(
        certificate: String,
        _ path: String,
        key: String,
        now: Date
    ) throws(TrustError) -> RootCertificate {
        let root = try RootCertificate(certificatePEM: certificate, path, keyPEM: key, keyPath)
        try root.checkValidity(now: now, place: path)
        return root
    }
}
