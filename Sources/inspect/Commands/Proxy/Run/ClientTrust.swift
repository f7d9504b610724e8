import Foundation
import Traffic
import Trust

/// The files by which the runtimes of a started command trust the root, beside the roots that this machine trusts anyway.
///
/// They are in the directory `clients` beside the root, compared at each use with what they are made of and written where they differ: programs that
/// run read them, and commands that start at the same time share them.
struct ClientTrust: Sendable {
    /// The root alone, PEM.
    let rootPath: String
    /// This machine's roots and ours, PEM.
    let bundlePath: String
    /// What wget reads in place of `~/.wgetrc`: that file's own lines, then where the bundle is.
    let wgetPath: String
    /// What Node before 24 runs first.
    let nodePath: String
    /// The bundle as the JDK reads it.
    let javaPath: String

    /// Where systems keep the roots that they trust: Debian, Fedora, openSUSE, Alpine and macOS.
    private static let systemBundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
        "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]

    /// When the bundle's certificates are said to have been added: always the same, so that the file is another only when they are.
    private static let added = Date(timeIntervalSince1970: 0)

    /// Writes the files.
    ///
    /// - Parameters:
    ///   - authority: names the root to be trusted; a missing root is made.
    ///   - environment: this process's variables: a bundle that they name stands in for the system's, and `HOME` has wget's file.
    /// - Throws: `TrustError`, `InputError` when a file cannot be written.
    init(authority: CAOptions, environment: [String: String]) throws {
        let root = try authority.openRoot()
        let files = authority.files
        let directory = files.clientsDirectory
        rootPath = files.certificatePath
        bundlePath = files.bundlePath
        wgetPath = directory + "/wgetrc"
        nodePath = directory + "/node.cjs"
        javaPath = directory + "/roots.jks"

        let roots = try Self.writeBundle(of: root, in: files, environment: environment)
        let own = Self.text(environment["WGETRC"] ?? "").flatMap { _ in environment["WGETRC"] }
        let wget = own == wgetPath ? nil : Self.text(own ?? (environment["HOME"] ?? "") + "/.wgetrc")
        try Self.write((wget.map { $0 + "\n" } ?? "") + "ca_certificate = \(bundlePath)\n", to: wgetPath)
        try Self.write(NodePreload.script, to: nodePath)
        let certificates = PEM.certificates(roots)
        try Self.write(JavaTrustStore.bytes(certificates: certificates, now: Self.added), to: javaPath)
    }

    /// Writes the bundle for programs that get its path, where `run` and `env` have not written it.
    ///
    /// A bundle that holds the root stays as it is: the command that wrote it may have known of other roots of this machine.
    ///
    /// - Throws: `InputError` when it cannot be written.
    static func keepBundle(of root: RootCertificate, in files: TrustFiles, environment: [String: String]) throws {
        if PEMFile(path: files.bundlePath).holds(root.pem) { return }
        _ = try writeBundle(of: root, in: files, environment: environment)
    }

    /// Writes this machine's roots and ours, and makes the directory for them.
    ///
    /// - Returns: the file's text.
    private static func writeBundle(
        of root: RootCertificate,
        in files: TrustFiles,
        environment: [String: String]
    ) throws -> String {
        let (directory, bundle) = (files.clientsDirectory, files.bundlePath)
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw InputError("cannot make \(directory): \(error.localizedDescription)")
        }
        // Our own files are not what this machine trusts anyway.
        let own = ["", bundle, files.certificatePath]
        let named = environment["SSL_CERT_FILE"].flatMap { own.contains($0) ? nil : $0 }
        let system = ([named].compactMap { $0 } + systemBundles).lazy.compactMap(text).first
        let roots = (system.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" } ?? "") + root.pem
        try write(roots, to: bundle)
        return roots
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        if FileManager.default.contents(atPath: path)?.elementsEqual(bytes) == true { return }
        let file = try OutputFile(path, mode: 0o644)
        try file.write(bytes)
        try file.finish()
    }
}
